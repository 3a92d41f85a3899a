// OpenAI's moderation endpoint: content categories by the names that its clients know
// (https://developers.openai.com/api/docs/guides/moderation).

import type { Evaluation, Inference } from '@svc/engine';
import { Type, type Static } from 'typebox';
import { countingFindings } from './exchange.ts';

const Part = Type.Object(
  {
    type: Type.Enum(['text', 'image_url']),
    text: Type.Optional(Type.String()),
  },
  { title: 'ModerationPart', description: 'A text, or an image, which is not assessed.' },
);

export const ModerationRequest = Type.Object(
  {
    input: Type.Union(
      [
        Type.String(),
        Type.Array(Type.String(), { minItems: 1, description: 'Each is assessed by itself, up to the plan’s batch size.' }),
        Type.Array(Part, { minItems: 1, maxItems: 200, description: 'Parts of one text.' }),
      ],
      { description: 'What to assess. Each text, or list of parts, costs one assessment.' },
    ),
    model: Type.Optional(Type.String({ description: 'Ignored: the policy in force decides.' })),
  },
  { title: 'ModerationRequest', description: 'What else a client sends is ignored.' },
);
export type ModerationRequest = Static<typeof ModerationRequest>;

/** The names of OpenAI's categories, all of which an answer holds. */
const NAMES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const;
type Name = (typeof NAMES)[number];

/** Our categories in OpenAI's names. Swearing has none there. */
const NAME_OF: ReadonlyMap<string, Name> = new Map([
  ['content.harassment', 'harassment'],
  ['content.hate', 'hate'],
  ['content.illicit', 'illicit'],
  ['content.self_harm', 'self-harm'],
  ['content.sexual', 'sexual'],
  ['content.minors', 'sexual/minors'],
  ['content.violence', 'violence'],
]);

/** Types of findings that OpenAI tells from the rest of their category. */
const NAME_OF_TYPE: ReadonlyMap<string, Name> = new Map([['indiscriminate_weapons', 'illicit/violent']]);

const byName = <Schema extends Parameters<typeof Type.Object>[0][string]>(schema: Schema, description: string) =>
  Type.Object(Object.fromEntries(NAMES.map((name) => [name, schema])) as Record<Name, Schema>, { description });

export const ModerationAnswer = Type.Object(
  {
    id: Type.String({ description: '`modr-…`; the assessments have it as `external_id`.' }),
    model: Type.String(),
    results: Type.Array(
      Type.Object({
        flagged: Type.Boolean({
          description:
            'A category is true, or the policy blocks the text for another reason. Never true while the policy is in monitor mode.',
        }),
        categories: byName(Type.Boolean(), 'True where the policy finds it.'),
        category_scores: byName(
          Type.Number(),
          'The highest score of a finding; 0 without, for the policy reports nothing below its threshold.',
        ),
        category_applied_input_types: byName(Type.Array(Type.Enum(['text'])), 'Empty where there was no text.'),
      }),
      { description: 'In the order of the input.' },
    ),
  },
  { title: 'Moderation' },
);
type ModerationAnswer = Static<typeof ModerationAnswer>;
type Moderation = ModerationAnswer['results'][number];

/** The inferences to assess: one for each text of a list, one for all parts of a text. */
export function readModeration({ input }: ModerationRequest, moderationId: string): Inference[] {
  const inputs =
    typeof input === 'string' ? [input] : isTexts(input) ? input : [[{ role: 'user' as const, content: input.map(partOf) }]];
  return inputs.map((each) => ({ input: each, external_id: moderationId }));
}

function isTexts(input: readonly unknown[]): input is string[] {
  return typeof input[0] === 'string';
}

function partOf({ type, text }: Static<typeof Part>) {
  return type === 'text' ? { type, text: text! } : { type };
}

/** What is wrong with a body that fits its schema; empty: nothing. */
export function moderationProblems({ input }: ModerationRequest): { pointer: string; message: string }[] {
  if (typeof input === 'string' || isTexts(input)) return [];
  return input.flatMap(({ type, text }, i) =>
    type === 'text' && text === undefined ? [{ pointer: `/input/${i}/text`, message: 'a part of type text needs a text' }] : [],
  );
}

/** What a result is made of. */
export type Judgement = Pick<Evaluation, 'outcome' | 'enforcement' | 'findings' | 'findings_total'>;

/** One result, from what was decided about an inference. */
export function moderationOf({ input }: Inference, judgement: Judgement): Moderation {
  const { outcome, enforcement, findings, findings_total: total } = judgement;
  const scores = new Map<Name, number>();
  for (const { category, type, score } of countingFindings({ findings })) {
    const name = NAME_OF_TYPE.get(type) ?? NAME_OF.get(category);
    if (name !== undefined) scores.set(name, Math.max(score, scores.get(name) ?? 0));
  }
  // What the answer does not list may have a name.
  const isUnknown = total > findings.length && outcome !== 'allowed';
  return {
    flagged: enforcement.mode === 'enforce' && (scores.size > 0 || outcome === 'blocked' || isUnknown),
    categories: each((name) => scores.has(name)),
    category_scores: each((name) => scores.get(name) ?? 0),
    category_applied_input_types: each(() => (hasText(input) ? ['text' as const] : [])),
  };
}

function each<Value>(valueOf: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

function hasText(input: Inference['input']): boolean {
  if (typeof input === 'string') return true;
  return input?.some(({ content }) => Array.isArray(content) && content.some(({ text }) => text !== undefined)) === true;
}
