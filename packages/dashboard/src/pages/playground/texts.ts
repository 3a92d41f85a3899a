// The texts of an inference by their JSON Pointers, as findings name them.

import type { Inference, Message } from '@svc/client';

export interface Text {
  readonly pointer: string;
  /** Whose it is, for people. */
  readonly title: string;
  readonly text: string;
}

/** Also of the members that were redacted, which have the shape of those that were sent. */
export function textsOf({ input, output, context, tool_calls: calls }: Inference): Text[] {
  return [
    ...said('/input', 'Input', input),
    ...said('/output', 'Output', output),
    ...(context ?? []).map(({ id, content }, i) => ({
      pointer: `/context/${i}/content`,
      title: id === undefined ? `Document ${i + 1}` : `Document ${id}`,
      text: content,
    })),
    ...(calls ?? []).flatMap(({ name, arguments: args }, i) => inside(`/tool_calls/${i}/arguments`, `Tool call ${name}`, args)),
  ];
}

function said(pointer: string, title: string, conversation: Inference['output']): Text[] {
  if (typeof conversation === 'string') return [{ pointer, title, text: conversation }];
  return (conversation ?? []).flatMap((message, i) =>
    messageTexts(`${pointer}/${i}/content`, `${title}, ${message.role}`, message),
  );
}

function messageTexts(pointer: string, title: string, { content }: Message): Text[] {
  if (typeof content === 'string') return [{ pointer, title, text: content }];
  return (content ?? []).flatMap(({ text }, i) =>
    typeof text === 'string' ? [{ pointer: `${pointer}/${i}/text`, title, text }] : [],
  );
}

/** Every string inside, and numbers, which are read where they are long. */
function inside(pointer: string, title: string, value: unknown): Text[] {
  if (typeof value === 'string') return [{ pointer, title, text: value }];
  if (typeof value === 'number') return [{ pointer, title, text: String(value) }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    inside(`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, title, member),
  );
}
