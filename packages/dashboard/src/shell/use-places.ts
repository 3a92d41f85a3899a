import { useOrganization } from '../session.tsx';
import { GROUPS, PLACES, type Place } from './places.ts';

/** The places that the session may see, group by group. */
export function usePlaces(): readonly Place[] {
  const { scopes } = useOrganization().credential;
  const mayAll = scopes.includes('admin:*');
  const seen = PLACES.filter(({ scope }) => scope === null || mayAll || (scopes as readonly string[]).includes(scope));
  return GROUPS.flatMap((group) => seen.filter((place) => place.group === group));
}
