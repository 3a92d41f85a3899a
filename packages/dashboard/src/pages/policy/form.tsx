// The common settings of a policy as a form. Each field edits the text beside it, whose comments stay.

import { memo, useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import type { Editing } from './draft.ts';
import type { Reading } from './editor/document.ts';
import { obstacleAt } from './editor/edit.ts';
import { DEFAULTS, defaultAt, DETECTORS, schemaAt } from './editor/reference.ts';
import { CheckField, ChoiceField, NumberField, type Members } from './fields.tsx';

interface Props {
  readonly setMember: Editing['setMember'];
  readonly reading: Reading;
}

/** Drawn anew when what the text says is another, not with each letter of it. */
export const PolicyForm = memo(({ setMember, reading }: Props): ReactNode => {
  const [isRefused, setRefused] = useState(false);
  const members: Members = {
    get: (path) => (reading.isReadable ? at(reading.policy, path) : undefined),
    set: (path, value) => setRefused(!setMember(path, value)),
    isDisabled: !reading.isReadable,
    obstacle: (path) => (reading.isReadable ? obstacleAt(reading, path) : null),
  };
  return (
    <section className="stack policy-form" aria-label="Common settings">
      {members.isDisabled && <p className="notice warn">The text cannot be read as it is. Mend it, and the form goes on.</p>}
      {isRefused && !members.isDisabled && (
        <p className="notice warn" role="alert">
          The text is written in a way that the form cannot change. Change it there.
        </p>
      )}
      <General members={members} />
      <section className="card stack detectors">
        <h2>Detectors</h2>
        <p className="muted">
          Grey is the default, and stays out of the document. Patterns, terms, rules, judges and drift are in the text.
        </p>
        <div className="detector-row detector-head muted" aria-hidden="true">
          <span>Detector</span>
          <span>Flag at</span>
          <span>Block at</span>
          <span>Action</span>
        </div>
        {Object.keys(DETECTORS)
          .toSorted(byDefaults)
          .map((id) => (
            <Detector key={id} id={id} members={members} />
          ))}
      </section>
    </section>
  );
});
PolicyForm.displayName = 'PolicyForm';

/** In the order of the default policy. */
function byDefaults(a: string, b: string): number {
  const order = Object.keys(DEFAULTS.detectors);
  return order.indexOf(a) - order.indexOf(b);
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, part) => (isObject(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined), value);
}

function isObject(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null;
}

function General({ members }: { readonly members: Members }): ReactNode {
  const keepsTexts = members.get(['data', 'store']) === 'full';
  return (
    <section className="card stack">
      <h2>In general</h2>
      <div className="policy-fields">
        <ChoiceField members={members} path={['mode']} label="Mode" help={schemaAt(['mode'])?.description} />
        <NumberField members={members} path={['deadline_ms']} label="Deadline, in ms" help="Time for one assessment." />
        <ChoiceField
          members={members}
          path={['on_error', 'input']}
          label="On error, input"
          help="When a detector fails on texts going to the model."
        />
        <ChoiceField
          members={members}
          path={['on_error', 'output']}
          label="On error, output"
          help="The same for texts coming from it."
        />
        <ChoiceField
          members={members}
          path={['data', 'store']}
          label="Keep"
          help={
            keepsTexts
              ? 'Texts are kept, encrypted: tell the people concerned.'
              : 'metadata: findings without the texts. full: the texts too.'
          }
        />
        <NumberField members={members} path={['data', 'retention_days']} label="Keep for, in days" help="183 to 3650." />
      </div>
    </section>
  );
}

function Detector({ id, members }: { readonly id: string; readonly members: Members }): ReactNode {
  const path = ['detectors', id];
  const [isOpen, setOpen] = useState(false);
  const obstacle = members.obstacle([...path, '']);
  const own: Members = obstacle === null ? members : { ...members, isDisabled: true, obstacle: () => null };
  return (
    <fieldset className="detector">
      <legend className="visually-hidden">{id}</legend>
      <div className="detector-row">
        <CheckField members={own} path={[...path, 'enabled']} label={id} />
        <NumberField members={own} path={[...path, 'flag_at']} label="Flag at" step={0.05} isCompact />
        <NumberField members={own} path={[...path, 'block_at']} label="Block at" step={0.05} isCompact />
        <ChoiceField members={own} path={[...path, 'action']} label="Action" />
      </div>
      {obstacle !== null && <small className="problem">{obstacle}</small>}
      <details onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}>
        <summary>
          What it finds<span className="visually-hidden">: {id}</span>
          {BY_TYPE[id] === undefined ? '' : ', and actions by type'}
        </summary>
        {isOpen && <More id={id} members={own} />}
      </details>
    </fieldset>
  );
}

function More({ id, members }: { readonly id: string; readonly members: Members }): ReactNode {
  const blockAt = ['detectors', id, 'block_at'];
  const own = members.get(blockAt);
  const usual = defaultAt(blockAt) as number | null;
  const neverBlocks = own === null || (own === undefined && usual === null);
  return (
    <div className="stack opened">
      <p>{DETECTORS[id]}</p>
      {usual !== null && (
        <div>
          <Button isSmall disabled={members.isDisabled} onClick={() => members.set(blockAt, neverBlocks ? undefined : null)}>
            {neverBlocks ? `Block at ${usual} again` : 'Never block'}
          </Button>
        </div>
      )}
      <Types id={id} members={members} />
    </div>
  );
}

const BY_TYPE: Readonly<Record<string, readonly [member: string, title: string]>> = {
  pii: ['entities', 'Actions by type of personal data'],
  harm: ['categories', 'Actions by kind of harm'],
};

/** Actions of types, in place of the detector's own. */
function Types({ id, members }: { readonly id: string; readonly members: Members }): ReactNode {
  const byType = BY_TYPE[id];
  if (byType === undefined) return null;
  const [member, title] = byType;
  const path = ['detectors', id, member];
  const usual = members.get(['detectors', id, 'action']);
  const types = Object.keys(schemaAt(path)?.properties ?? {});
  return (
    <fieldset className="stack">
      <legend>{title}</legend>
      <div className="policy-fields three">
        {types.map((type) => {
          // An action of the detector stands in place of the default of each type.
          const fallback =
            typeof usual === 'string'
              ? usual
              : ((defaultAt([...path, type]) ?? defaultAt(['detectors', id, 'action'])) as string);
          return <ChoiceField key={type} members={members} path={[...path, type]} label={type} fallback={fallback} />;
        })}
      </div>
    </fieldset>
  );
}
