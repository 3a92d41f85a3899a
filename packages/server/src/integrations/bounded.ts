// Batches within a vendor's bound on bytes: what is too much is cut out of the largest events, so that none is left out.

import type { OutgoingEvent } from './adapter.ts';

/**
 * Each event as `write` writes it, together at most `bytesMax` bytes, separators of one byte included. If all of them are too much, those
 * above an equal share lose findings (`findings_total` tells), then all of `data` but `data_omitted: true`. A share must hold an event without data.
 */
export function writeWithin(
  events: readonly OutgoingEvent[],
  bytesMax: number,
  write: (event: OutgoingEvent) => string,
): readonly string[] {
  const texts = events.map(write);
  const bytes = texts.reduce((sum, text) => sum + bytesOf(text), 0);
  if (bytes <= bytesMax) return texts;
  const share = Math.floor(bytesMax / events.length);
  return texts.map((text, i) => (bytesOf(text) <= share ? text : writeCut(events[i]!, share, write)));
}

function writeCut(event: OutgoingEvent, share: number, write: (event: OutgoingEvent) => string): string {
  const findings = Array.isArray(event.data['findings']) ? (event.data['findings'] as readonly unknown[]) : [];
  for (let kept = findings.length >> 1; kept > 0; kept >>= 1) {
    const text = write({ ...event, data: { ...event.data, findings: findings.slice(0, kept) } });
    if (bytesOf(text) <= share) return text;
  }
  return write({ ...event, data: { data_omitted: true } });
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text) + 1;
}
