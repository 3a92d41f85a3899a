// Who did something: by the name of a key, an account or a user, where the session may read those, else by the id.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { svc } from '../api.ts';
import { useMay } from '../session.tsx';
import { Copy } from './copy.tsx';
import { Name } from './name.tsx';

const PAGE = 200;
const NAMES_MAX = 1_000;
const STALE_MS = 60_000;
const NONE: ReadonlyMap<string, string> = new Map();

/** Names by the ids that events, versions and exports carry. Empty while they are read, and for who may not read them. */
export function useActorNames(): ReadonlyMap<string, string> {
  const mayRead = useMay('admin:*');
  const names = useQuery({
    queryKey: ['actors'],
    queryFn: ({ signal }) => readNames(signal),
    enabled: mayRead,
    staleTime: STALE_MS,
  });
  return names.data ?? NONE;
}

async function readNames(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const [keys, accounts, sessions] = await Promise.all([
    svc.apiKeys.list({ limit: PAGE }, { signal }).toArray(NAMES_MAX),
    svc.serviceAccounts.list({ limit: PAGE }, { signal }).toArray(NAMES_MAX),
    svc.sessions.list({ limit: PAGE }, { signal }).toArray(NAMES_MAX),
  ]);
  const users = sessions.flatMap(({ subject, name }) => (subject === null ? [] : [[subject, name] as const]));
  // The newest name of a user counts, and sessions come newest first.
  return new Map([...users.toReversed(), ...[...keys, ...accounts].map(({ id, name }) => [id, name] as const)]);
}

interface Props {
  readonly id: string;
  /** With a button that copies the id. */
  readonly canCopy?: boolean;
}

export function Actor({ id, canCopy = false }: Props): ReactNode {
  const name = useActorNames().get(id);
  return (
    <>
      {name === undefined ? (
        <code className="address">{id}</code>
      ) : (
        <span title={id}>
          <Name text={name} />
        </span>
      )}
      {canCopy && <Copy text={id} label="Copy id" />}
    </>
  );
}
