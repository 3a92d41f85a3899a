// The texts of an inference, each with its JSON Pointer and the target it counts as.

import { ARGUMENT_DEPTH_MAX, type Inference, type Message } from './inference.ts';
import { pointerTo } from './json/pointer.ts';
import type { Part, Role, Target } from './types.ts';

/** What there is to assess. */
export interface Parts {
  /** In document order: input, output, context, tool calls. */
  readonly texts: Part[];
  /** How many pieces of content are no text (images, files) and stay unread. */
  readonly unread: number;
  /** UTF-16 units of all texts. */
  readonly chars: number;
}

/** Takes an inference apart. Strings only: no text is copied. */
export function partsOf(inference: Inference): Parts {
  const collector = new Collector();
  collector.addConversation('/input', inference.input, 'input');
  collector.addConversation('/output', inference.output, 'output');
  inference.context?.forEach((item, i) => {
    collector.add(`/context/${i}/content`, item.content, item.source === 'tool' ? 'tool' : 'context', null);
  });
  inference.tool_calls?.forEach((call, i) =>
    collector.addValue(`/tool_calls/${i}/arguments`, call.arguments, ARGUMENT_DEPTH_MAX),
  );
  return collector;
}

/** UTF-16 units of all texts of an inference: what its assessment costs grows with. */
export function inferenceChars(inference: Inference): number {
  return partsOf(inference).chars;
}

/** The shortest numbers that identify anything have so many digits. */
const DIGITS_MIN = 7;

/** Whether a number is read as a text. */
export function isNumberOfLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) >= 10 ** (DIGITS_MIN - 1);
}

class Collector implements Parts {
  readonly texts: Part[] = [];
  unread = 0;
  chars = 0;

  add(pointer: string, text: string, target: Target, role: Role | null, messagesBefore = 0, messagesAfter = 0): void {
    this.texts.push({ pointer, text, target, role, charsBefore: this.chars, messagesBefore, messagesAfter });
    this.chars += text.length;
  }

  addConversation(pointer: string, said: string | Message[] | null | undefined, target: Target): void {
    if (typeof said === 'string') return this.add(pointer, said, target, null);
    let reached = 0;
    said?.forEach((message, i) => {
      const before = this.texts.length;
      this.addMessage(`${pointer}/${i}/content`, message, target, reached, i + 1);
      if (this.texts.length > before) reached = i + 1;
    });
  }

  addMessage(pointer: string, { role, content }: Message, speaks: Target, messagesBefore: number, messagesAfter: number): void {
    const target = role === 'tool' ? 'tool' : speaks;
    if (typeof content === 'string') return this.add(pointer, content, target, role, messagesBefore, messagesAfter);
    let before = messagesBefore;
    content?.forEach((part, i) => {
      // Vendors name text parts `text`, `input_text`, `output_text`: what holds a text is one.
      if (typeof part.text === 'string') {
        this.add(`${pointer}/${i}/text`, part.text, target, role, before, messagesAfter);
        before = messagesAfter;
      } else this.unread++;
    });
  }

  /** Every string inside `value`, and every number that could be that of a card or an account. What lies deeper than a checked inference may go is counted as unread. */
  addValue(pointer: string, value: unknown, levels: number): void {
    if (typeof value === 'string') return this.add(pointer, value, 'tool', null);
    if (isNumberOfLength(value)) return this.add(pointer, String(value), 'tool', null);
    if (typeof value !== 'object' || value === null) return;
    if (levels === 0) {
      this.unread++;
      return;
    }
    if (Array.isArray(value)) value.forEach((item, i) => this.addValue(pointerTo(pointer, i), item, levels - 1));
    else
      for (const name of Object.keys(value))
        this.addValue(pointerTo(pointer, name), (value as Record<string, unknown>)[name], levels - 1);
  }
}
