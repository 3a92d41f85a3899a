// Makes an integration, or changes one.

import type { CreateIntegration, Integration } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { KindPicker } from '../webhooks/kind-picker.tsx';
import { VendorFields } from './vendor-fields.tsx';
import { configOf, valuesOf, VENDORS, type Values, type VendorKind } from './vendors.ts';

interface Props {
  readonly kind: VendorKind;
  /** The one that is changed; `null`: a new one is made. */
  readonly integration: Integration | null;
  readonly onClose: () => void;
  readonly onSaved: (integration: Integration) => void;
}

export function IntegrationForm({ kind, integration, onClose, onSaved }: Props): ReactNode {
  const vendor = VENDORS[kind];
  const [name, setName] = useState(integration?.name ?? '');
  const [events, setEvents] = useState<readonly string[]>(integration?.events ?? vendor.events);
  const [values, setValues] = useState<Values>(() => valuesOf(vendor, integration?.config ?? {}));
  const save = useAction(async () => {
    // The vendor's own rules are checked by the service.
    const config = configOf(vendor, values) as unknown as CreateIntegration['config'];
    const body = { name: name.trim(), events: events as CreateIntegration['events'] };
    const saved =
      integration === null
        ? await svc.integrations.create({ kind, ...body, config })
        : // A secret that stays is not sent, and may be all that there is.
          await svc.integrations.update(integration.id, Object.keys(config).length === 0 ? body : { ...body, config });
    void queryClient.invalidateQueries({ queryKey: ['integrations'] });
    onSaved(saved);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.run();
  };
  return (
    <Dialog title={integration === null ? `New ${vendor.title} integration` : `Edit ${integration.name}`} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className="notice">{vendor.steps}</p>
        <label className="field">
          <span>Name</span>
          <input className="input" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
          <small>What it is for, such as the channel or the team.</small>
        </label>
        <VendorFields vendor={vendor} values={values} onChange={setValues} stored={integration?.config ?? null} />
        {integration !== null && (
          <p className="muted">
            With another address its secrets are asked for again: they are not sent to a place they were not given for.
          </p>
        )}
        <KindPicker chosen={events} onChange={setEvents} />
        {save.error !== null && <Problem error={save.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={save.isBusy} disabled={events.length === 0}>
            {integration === null ? 'Create integration' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
