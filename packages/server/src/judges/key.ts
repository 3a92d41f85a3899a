// For what a judge's API key is sealed.

import { uuidText } from '../ids.ts';
import type { Judge } from './store.ts';

/** Names the judge and its url: a key that is brought to another one cannot be opened. */
export function keyPurpose({ uuid, url }: Pick<Judge, 'uuid' | 'url'>): string {
  return `api key of judge ${uuidText(uuid)} for ${url}`;
}
