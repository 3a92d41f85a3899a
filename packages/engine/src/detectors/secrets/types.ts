// The types of credentials that findings may have, for policies that decide by type.

import { NAME_WORDS } from './names.ts';
import { RULES } from './rules.ts';
import { VENDORS } from './vendors.ts';

/** Types of finds by their place: URLs, headers, command lines, key blocks. */
const PLACE_TYPES = [
  'basic_auth_header',
  'bearer_token',
  'command_line_password',
  'database_url_password',
  'pgp_private_key',
  'private_key',
  'url_password',
];

/** Every type of credential, sorted. */
export const SECRET_TYPES: readonly string[] = [
  ...new Set([
    ...RULES.map(({ type }) => type),
    ...Object.values(NAME_WORDS).map(({ type }) => type),
    ...Object.values(VENDORS).flatMap((formats) => formats.map(({ type }) => type)),
    ...PLACE_TYPES,
  ]),
].sort();
