// Which policy is to be tried: the one that is being edited, the one in the shadow, or a version.

import { NotFoundError, type Policy } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { svc } from '../../api.ts';
import type { Editing } from './draft.ts';
import { read } from './editor/document.ts';
import type { Lint } from './editor/lint.ts';

type Source = 'edited' | 'shadow' | 'version';

export interface Candidate {
  readonly source: Source;
  /** As it is typed. */
  readonly version: string;
  readonly choose: (source: Source) => void;
  readonly setVersion: (version: string) => void;
  /** What it is called: `version 3`. */
  readonly name: string;
  /** Reads it. Throws what can be shown. */
  readonly read: () => Promise<Policy>;
  /** Why it cannot be tried as it is. */
  readonly obstacle: string | null;
}

export function useCandidate({ editing, lint }: { readonly editing: Editing; readonly lint: Lint }): Candidate {
  const [source, choose] = useState<Source>('edited');
  const [version, setVersion] = useState(String(Math.max(1, editing.current.version - 1)));
  const names = { edited: 'the edited document', shadow: 'the shadow', version: `version ${version}` };
  return {
    source,
    version,
    choose,
    setVersion,
    name: names[source],
    read: async () => {
      if (source === 'shadow') return (await svc.policy.getShadow()).policy;
      if (source === 'version') return (await svc.policy.getVersion(String(Number(version)))).policy;
      const reading = read(editing.draft.text, editing.draft.format);
      if (!reading.isReadable) throw new Error('The edited document cannot be read.');
      return reading.policy;
    },
    obstacle: source === 'edited' && lint.state === 'invalid' ? 'The edited document has errors: mend them first.' : null,
  };
}

interface Props {
  readonly candidate: Candidate;
  readonly editing: Editing;
  /** The shadow can be chosen, where there is one. */
  readonly withShadow?: boolean;
}

export function CandidateField({ candidate, editing, withShadow = false }: Props): ReactNode {
  const { source, version, choose, setVersion, obstacle } = candidate;
  // Whether one runs is asked once it is wanted.
  const shadow = useQuery({ ...shadowQuery, enabled: withShadow && source === 'shadow' });
  const sources: readonly (readonly [Source, string])[] = [
    [
      'edited',
      editing.isDirty ? 'The edited document' : `The document in the editor (version ${editing.draft.base.version}, not changed)`,
    ],
    ...(withShadow ? ([['shadow', 'The policy in the shadow']] as const) : []),
    ['version', 'A version'],
  ];
  return (
    <fieldset className="stack">
      <legend>Which policy</legend>
      {sources.map(([value, title]) => (
        <label key={value} className="check">
          <input type="radio" checked={source === value} onChange={() => choose(value)} />
          <span>{title}</span>
        </label>
      ))}
      {source === 'version' && (
        <label className="field">
          <span>Version</span>
          <input
            className="input fit"
            type="number"
            required
            min={1}
            max={editing.current.version}
            value={version}
            onChange={(event) => setVersion(event.target.value)}
          />
          <small>1 to {editing.current.version}.</small>
        </label>
      )}
      {source === 'shadow' && shadow.data === null && (
        <p className="problem">No shadow runs. Start one in the tab Shadow, or choose another policy.</p>
      )}
      {obstacle !== null && <p className="problem">{obstacle}</p>}
    </fieldset>
  );
}

/** `null`: there is none. */
export const shadowQuery = {
  queryKey: ['policy', 'shadow'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    try {
      return await svc.policy.getShadow({ signal });
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  },
};
