// Wire shapes of exports.

import { Type, type Static } from 'typebox';
import { EVENT_KINDS } from '../events/kinds.ts';
import { Nullable, Time } from '../http/schemas.ts';
import { EXPORT_FORMATS } from './store.ts';

const Kinds = Type.Array(Type.Enum([...EVENT_KINDS]), {
  minItems: 1,
  maxItems: EVENT_KINDS.length,
  uniqueItems: true,
  description:
    'Only events of these kinds are disclosed and in the view; of the others the bundle has the public facts, so that it can be checked all the same.',
});
const Size = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const CreateExport = Type.Object(
  {
    format: Type.Enum([...EXPORT_FORMATS], {
      description: 'What the bundle has beside the evidence, which is JSON lines. `jsonl`: nothing.',
    }),
    since: Type.Optional(Time('Recorded at or after. Default: the oldest that is kept.')),
    until: Type.Optional(Time('Recorded before. Default: all that was committed when it was asked for.')),
    kinds: Type.Optional(Kinds),
    held_size: Type.Optional(
      Size('The size of a checkpoint that you hold: the bundle then has the proof that the log only grew since.'),
    ),
    disclosures: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'False: without what leaves commit to without telling, such as subjects, addresses and data.',
      }),
    ),
  },
  { additionalProperties: false, title: 'CreateExport' },
);
export type CreateExport = Static<typeof CreateExport>;

export const ExportBody = Type.Object(
  {
    id: Type.String({ examples: ['exp_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    state: Type.Enum(['queued', 'running', 'ready', 'failed', 'expired']),
    format: Type.Enum([...EXPORT_FORMATS]),
    since: Nullable(Time('As it was asked for.')),
    until: Nullable(Time('As it was asked for.')),
    kinds: Nullable(Type.Array(Type.String(), { description: 'As they were asked for; null: all.' })),
    held_size: Nullable(Size('As it was asked for.')),
    disclosures: Type.Boolean(),
    progress: Type.Object({
      done: Size('Leaves that are written.'),
      total: Nullable(Size('Leaves to write; null: it has not begun.')),
      percent: Type.Integer({ minimum: 0, maximum: 100, description: '100 once it is ready.' }),
    }),
    events: Size('Events that are in it by now.'),
    tree_size: Nullable(Size('Of the checkpoint that proves it; null: it has not begun.')),
    created_at: Time('When it was asked for.'),
    created_by: Type.String({ description: 'Id of the credential.' }),
    expires_at: Nullable(Time('Until when it can be downloaded; null: it is not ready.')),
    download: Nullable(
      Type.Object({
        url: Type.String({ description: 'Takes the same credential.' }),
        bytes: Size('Length of the zip.'),
        sha256: Type.String({ description: 'Of the zip, in hex.' }),
      }),
    ),
    error: Nullable(Type.String({ description: 'Why it failed, or expired before its time.' })),
  },
  { title: 'Export' },
);
