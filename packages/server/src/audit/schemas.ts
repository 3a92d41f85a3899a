// Wire shapes of the log.

import { Type } from 'typebox';
import { Line, Nullable, Time } from '../http/schemas.ts';
import { PRIVATE_FIELDS } from './envelope.ts';

const Hash = Type.String({ description: '32 bytes in base64.' });
const Size = (description: string) => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const CheckpointQuery = Type.Object(
  { size: Type.Optional(Size('The checkpoint of exactly this size. Absent: the latest.')) },
  { additionalProperties: false },
);

export const ConsistencyQuery = Type.Object(
  {
    from: Size('Size of the older tree: that of the checkpoint you hold.'),
    to: Type.Optional(Size('Size of the newer tree. Absent: that of the latest checkpoint.')),
  },
  { additionalProperties: false },
);

export const ConsistencyBody = Type.Object(
  {
    from: Type.Integer(),
    to: Type.Integer(),
    hashes: Type.Array(Hash, { description: 'As RFC 6962 §2.1.2 has them; none where the sizes are equal or `from` is 0.' }),
  },
  { title: 'ConsistencyProof' },
);

export const ProofQuery = Type.Object(
  { size: Type.Optional(Size('Against the published checkpoint of this size. Absent: the latest.')) },
  { additionalProperties: false },
);

export const ProofBody = Type.Object(
  {
    event_id: Type.String(),
    sequence: Type.Integer(),
    leaf_index: Type.Integer({ description: '`sequence` less one.' }),
    leaf_hash: Type.String({ description: 'What the log holds: SHA-256 of a zero byte and the envelope, in base64.' }),
    leaf_matches: Type.Boolean({
      description: 'Whether the envelope has this hash. `false`: the event was changed in the database after it was logged.',
    }),
    envelope: Type.String({ description: 'The leaf, byte for byte: canonical JSON (RFC 8785).' }),
    disclosures: Type.Array(Type.String(), {
      description:
        'What the envelope commits to: texts `["salt","name",value]`. The SHA-256 of each, in base64, is in its `private`. Kept texts are never disclosed.',
    }),
    erased: Type.Array(Type.String(), { description: 'Names of what is committed to and was erased.' }),
    tree_size: Type.Integer(),
    root: Type.String({ description: 'Of the tree of this size, in base64.' }),
    hashes: Type.Array(Hash, { description: 'From the leaf to the root, as RFC 6962 §2.1.1 has them.' }),
    checkpoint: Type.String({ description: 'The signed note that vouches for size and root.' }),
  },
  { title: 'EventProof' },
);

const VerifierKeys = Type.Array(
  Type.Object({
    verifier_key: Type.String({ description: '`<origin>+<key id>+<base64>`, as c2sp.org/signed-note has it.' }),
    status: Type.Enum(['active', 'overlap', 'retired'], {
      description:
        '`overlap`: another signs, and this one beside it. `retired`: it signs no more; what it has signed can be checked.',
    }),
    created_at: Time('When it was made.'),
    replaced_at: Nullable(Time('Since when another signs.')),
    retired_at: Nullable(Time('When it stopped, or will stop, to sign.')),
  }),
  { description: 'All that ever signed for it, newest first.' },
);

export const AuditKeysBody = Type.Object(
  {
    origin: Type.String({ description: 'The name of the organization’s log: the first line of its checkpoints.' }),
    keys: VerifierKeys,
    deployment: Type.Object(
      { origin: Type.String(), keys: VerifierKeys },
      { description: 'The log over the checkpoints of all organizations of this service.' },
    ),
  },
  { title: 'AuditKeys' },
);

export const NewRedaction = Type.Object(
  {
    event_id: Type.String({ maxLength: 64, description: 'The event’s id, `evt_…`.' }),
    fields: Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: PRIVATE_FIELDS.length,
      description:
        'Of every event `actor.id` (of a user) and `actor.ip`; of `inference.*` also `subject`, `external_id`, `metadata`, `previews` and `text`; of keys, accounts, sessions, sign-in, webhooks, integrations, judges, probes and the organization also `data`. Where the text is kept, `subject`, `external_id`, `metadata` and `previews` take `text` along.',
      examples: [['subject', 'metadata']],
    }),
    basis: Line(500, 'Why: the request or the law. It stays in the trail, so it names nobody.'),
  },
  { additionalProperties: false, title: 'NewRedaction' },
);

export const RedactionBody = Type.Object(
  {
    event_id: Type.String(),
    sequence: Type.Integer({ description: 'Of the event.' }),
    fields: Type.Array(Type.String(), { description: 'What was erased: what was asked for, and a kept text that repeats it.' }),
    basis: Type.String(),
    redaction_event_id: Type.String({ description: 'The event `audit.redacted` that tells of it.' }),
    created_at: Time('When it was done.'),
  },
  { title: 'Redaction' },
);
