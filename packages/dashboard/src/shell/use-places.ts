import { useOrganization } from '../session.tsx';
import { ACTIONS, type Action } from './actions.ts';
import { GROUPS, PARTS, PLACES, type Part, type Place } from './places.ts';

/** The places that the session may see, group by group. */
export function usePlaces(): readonly Place[] {
  const seen = useAllowed(PLACES);
  return GROUPS.flatMap((group) => seen.filter((place) => place.group === group));
}

/** Parts of pages that have an address of their own. */
export function useParts(): readonly Part[] {
  return useAllowed(PARTS);
}

/** What the session may do. */
export function useActions(): readonly Action[] {
  return useAllowed(ACTIONS);
}

function useAllowed<Item extends { readonly scope: string | null }>(items: readonly Item[]): readonly Item[] {
  const { scopes } = useOrganization().credential;
  const mayAll = scopes.includes('admin:*');
  return items.filter(({ scope }) => scope === null || mayAll || (scopes as readonly string[]).includes(scope));
}
