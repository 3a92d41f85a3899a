// Erases values of an event, once it is said what that does.

import type { Assessment, Event } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { svc } from '../../api.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { isInference } from '../../kinds.ts';

/** Kinds whose data may name people. */
const WITH_DATA = /^(?:(?:session|api_key|service_account|webhook|integration|judge|organization|probe)\..+|sso\.updated)$/;

const SAID: Readonly<Record<string, string>> = {
  'actor.id': 'who caused it',
  'actor.ip': 'the address that the request came from',
  subject: 'user, session and agent',
  external_id: 'your own id of the inference',
  metadata: 'your own pairs',
  previews: 'the glimpses of what was found, and names of arguments',
  text: 'what was assessed, where the policy keeps it',
  data: 'all that the event tells besides',
};

/** What is there and can be erased. Whether a text is kept, the service alone knows. */
export function erasableOf({ kind, actor, data, erased = [] }: Event): string[] {
  const fields = [
    ...(actor.type === 'user' && actor.id !== null ? ['actor.id'] : []),
    ...(actor.ip !== null ? ['actor.ip'] : []),
  ];
  if (isInference(kind)) {
    const { subject, external_id: externalId, metadata, findings } = data as unknown as Assessment;
    if (subject !== null) fields.push('subject');
    if (externalId !== null) fields.push('external_id');
    if (Object.keys(metadata ?? {}).length > 0) fields.push('metadata');
    if ((findings ?? []).some(({ preview }) => preview !== null)) fields.push('previews');
    fields.push('text');
  } else if (WITH_DATA.test(kind) && Object.keys(data).length > 0) fields.push('data');
  return fields.filter((field) => !erased.includes(field));
}

interface Props {
  readonly event: Event;
  readonly onClose: () => void;
  readonly onDone: () => Promise<unknown>;
}

export function Redact({ event, onClose, onDone }: Props): ReactNode {
  const [fields, setFields] = useState<readonly string[]>([]);
  const [basis, setBasis] = useState('');
  const run = async () => {
    if (fields.length === 0) throw new Error('Choose what is to be erased.');
    if (basis.trim() === '') throw new Error('Say why: the request, or the law.');
    await svc.audit.redactEvent({ event_id: event.id, fields: [...fields], basis: basis.trim() });
    await onDone();
  };
  const choose = (field: string, isChosen: boolean) =>
    setFields(isChosen ? [...fields, field] : fields.filter((other) => other !== field));
  const effect = (
    <div className="stack">
      <fieldset className="erasable">
        <legend>What is erased</legend>
        {erasableOf(event).map((field) => (
          <label key={field} className="row">
            <input type="checkbox" checked={fields.includes(field)} onChange={({ target }) => choose(field, target.checked)} />
            <span>
              {field}: {SAID[field]}
            </span>
          </label>
        ))}
      </fieldset>
      <label className="field">
        <span>Basis</span>
        <input
          className="input"
          maxLength={500}
          placeholder="Art. 17 GDPR, request 2026-118"
          value={basis}
          onChange={({ target }) => setBasis(target.value)}
        />
        <small>The request or the law. It stays in the trail for good: write a file number, not a name.</small>
      </label>
      <ul className="effects">
        <li>The values are deleted for good. Nobody can bring them back.</li>
        <li>The event, its outcome and its place in the log stay, and so does its proof.</li>
        {isInference(event.kind) && <li>Where the text is kept, erasing anything but actor.ip erases the text, too.</li>}
        <li>What left the service before is out of reach: deliveries that arrived, downloaded exports, backups.</li>
        <li>The trail keeps who erased it, which fields, and the basis.</li>
      </ul>
    </div>
  );
  return <Confirm title="Erase values of this event" effect={effect} deed="Erase for good" run={run} onClose={onClose} />;
}
