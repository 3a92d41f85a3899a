// What the HTTP Event Collector's answers mean, by its codes (docs.splunk.com, "Possible error codes").

import type { Answer, Judgement } from '../adapter.ts';
import { bodyOf, each, judgeFailure, OK, permanent, retry } from '../judgement.ts';

const SUCCESS = 0;
const TOKEN = 'check the token in Splunk’s HTTP Event Collector';

/** Codes that say what is wrong with the set-up. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [1, `Splunk says that the token is disabled: ${TOKEN}.`],
  [2, `Splunk misses the token: ${TOKEN}.`],
  [3, `Splunk does not accept the authorization: ${TOKEN}.`],
  [4, `Splunk does not know the token: ${TOKEN}.`],
  [5, 'Splunk found no event in the request.'],
  [7, 'Splunk does not let the token write to this index: allow it at the token, or name another index.'],
  [10, 'The token wants indexer acknowledgement: set `acknowledge`.'],
  [11, 'Splunk does not accept the channel for indexer acknowledgement.'],
  [14, 'The token has no indexer acknowledgement: turn it on at the token, or unset `acknowledge`.'],
  [16, `Splunk does not accept the way the token is sent: ${TOKEN}.`],
  [21, `Splunk does not know the token: ${TOKEN}.`],
  [22, `Splunk says that the token is disabled: ${TOKEN}.`],
]);

/** Codes about one event of the batch, which `invalid-event-number` names, counted from 0. */
const FAULTY = new Map([
  [6, 'Splunk cannot read the event.'],
  [12, 'Splunk misses the content of the event.'],
  [13, 'Splunk found no content in the event.'],
  [15, 'Splunk cannot index the event’s fields.'],
]);

/** One judgement for each of the `count` events. */
export function judge(answer: Answer, count: number): readonly Judgement[] {
  const { code, 'invalid-event-number': number } = bodyOf(answer);
  const isTaken = answer.status === 200;
  if (isTaken && code === SUCCESS) return each(count, OK);
  const fault = typeof code === 'number' && answer.status === 400 ? FAULTY.get(code) : undefined;
  if (fault !== undefined) return judgeFaulty(answer, fault, typeof number === 'number' ? number : null, count);
  const refusal = typeof code === 'number' && answer.status < 500 && answer.status !== 429 ? REFUSALS.get(code) : undefined;
  if (refusal !== undefined) return each(count, permanent(refusal));
  if (isTaken) return each(count, retry('Splunk answered with status 200 without saying that it took the events.', answer));
  return each(
    count,
    judgeFailure('Splunk', answer, { 401: REFUSALS.get(3)!, 403: REFUSALS.get(4)!, 404: NO_COLLECTOR, 413: TOO_LARGE }),
  );
}

const NO_COLLECTOR = 'There is no HTTP Event Collector at this URL.';
const TOO_LARGE = 'The batch is too large for this HTTP Event Collector: allow 1 MB (max_content_length).';

/**
 * The event that Splunk names cannot be delivered. Whether those before it were taken is not documented, so all others are sent again: twice
 * in the index, with the same `event_id`, is better than not at all.
 */
function judgeFaulty(answer: Answer, fault: string, number: number | null, count: number): readonly Judgement[] {
  if (number === null || number < 0 || number >= count || count === 1) return each(count, permanent(fault));
  const again = retry('Splunk refused the batch because of another event in it.', answer);
  return Array.from({ length: count }, (_, i) => (i === number ? permanent(fault) : again));
}
