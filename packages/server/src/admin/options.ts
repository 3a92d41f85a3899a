// The options that commands share, and the bounds of what may be given.

import { LABEL_PATTERN } from '@svc/engine';
import { parseId } from '../ids.ts';
import { PLANS } from '../organizations/plans.ts';
import type { Option } from './arguments.ts';

// As the API bounds the names of keys.
const NAME_CHARS_MAX = 200;
// Ten times what enterprise has by default, which is far beyond what one database commits: more is a typing error.
const ASSESSMENTS_PER_MINUTE_MAX = 10_000_000;
const REQUESTS_PER_MINUTE_MAX = 20_000_000;
// Ten times that of the largest plan, and half of what the journal lets wait.
const BATCH_SIZE_MAX = 10_000;

/** A name; `isRequired` and `meaning` are the command's to say, as with the plan. */
export const NAME = { value: '<text>', allowed: `one line of 1 to ${NAME_CHARS_MAX} characters`, parse: parseName };
export const PLAN = {
  value: '<plan>',
  allowed: `one of ${PLANS.join(', ')}`,
  parse: (text: string) => PLANS.find((plan) => plan === text),
};
/** An organization by its id; its 16 bytes. */
export const ORGANIZATION: Option<Buffer> = {
  value: '<org_…>',
  isRequired: true,
  meaning: 'Which organization.',
  allowed: 'the id of an organization, as list-organizations prints it',
  parse: (text) => parseId('org', text) ?? undefined,
};

/** Own numbers of an enterprise organization, from 1 to ten million, twenty million and ten thousand. */
export const ASSESSMENTS_PER_MINUTE = ownNumber('Assessments in a minute.', ASSESSMENTS_PER_MINUTE_MAX);
export const REQUESTS_PER_MINUTE = ownNumber('API requests in a minute.', REQUESTS_PER_MINUTE_MAX);
export const BATCH_SIZE = ownNumber('Items in a batch.', BATCH_SIZE_MAX);

function parseName(text: string): string | undefined {
  return text !== '' && text.length <= NAME_CHARS_MAX && new RegExp(LABEL_PATTERN).test(text) ? text : undefined;
}

function ownNumber(meaning: string, max: number): Option<number> {
  return {
    value: '<number>',
    isRequired: false,
    meaning: `${meaning} Only with enterprise.`,
    allowed: `a whole number from 1 to ${max}`,
    parse: (text) => (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= max ? Number(text) : undefined),
  };
}
