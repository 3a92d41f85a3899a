// The audit trail: list, pull feed, one event.

import { Type } from 'typebox';
import { findLeafHashes } from '../audit/leaf-hashes.ts';
import { invalid, notFound } from '../http/errors.ts';
import { decodeCursor, pageOf } from '../http/pagination.ts';
import { route, type Route } from '../http/route.ts';
import { ListOf, PAGE_LIMIT_DEFAULT } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { pullFeed } from './feed.ts';
import { EventBody, EventQuery, filterOf, presentEvent } from './schemas.ts';
import { findEventById, listEvents, type RecordedEvent } from './store.ts';

const tag = 'Events';

/** Cursors of lists by sequence. */
export function sequenceOfCursor(kind: string, cursor: string | undefined): number | null {
  const key = decodeCursor(kind, cursor, (text) => /^[1-9]\d{0,15}$/.test(text));
  return key === null ? null : Number(key);
}

/** What writes events of a page, with the hashes of their leaves. */
async function presenterOf(
  db: Queryable,
  { uuid, id }: { readonly uuid: Buffer; readonly id: string },
  events: readonly RecordedEvent[],
) {
  const sequences = events.map(({ sequence }) => sequence);
  const hashes = await findLeafHashes(db, uuid, sequences);
  return (event: RecordedEvent) => presentEvent(id, event, hashes.get(event.sequence) ?? null);
}

export const eventRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/events',
    operationId: 'listEvents',
    tag,
    summary: 'List events, or pull them as they come',
    description:
      'Newest first. With `after_sequence` it is a feed: events after that one, oldest first, waiting up to `wait_s` for the first. Read without filters, the sequence has no gaps, which proves that nothing was missed.',
    access: 'events:read',
    limit: 'requests',
    query: EventQuery,
    responses: { 200: { description: 'A page of events.', schema: ListOf(EventBody, 'EventList') } },
    async handle(services, { principal, query, signal, recheck }) {
      const { uuid } = principal.organization;
      const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
      const filter = filterOf(query);
      // Test credentials see test objects only, and nothing of theirs is in the trail.
      if (principal.mode === 'test') return { data: [], has_more: false, next_cursor: null };
      if (query.after_sequence === undefined) {
        if (query.wait_s !== undefined) throw invalid('/query/wait_s', 'goes with after_sequence');
        const events = await listEvents(services.db.reader, uuid, filter, sequenceOfCursor('evt', query.cursor), limit + 1);
        const present = await presenterOf(services.db.reader, principal.organization, events);
        return pageOf('evt', events, limit, (event) => String(event.sequence), present);
      }
      if (query.cursor !== undefined) throw invalid('/query/cursor', 'does not go with after_sequence');
      const waitMs = (query.wait_s ?? 0) * 1_000;
      const events = await pullFeed(services, uuid, filter, query.after_sequence, limit + 1, waitMs, signal(), recheck);
      const present = await presenterOf(services.db.reader, principal.organization, events);
      return {
        data: events.slice(0, limit).map(present),
        has_more: events.length > limit,
        next_cursor: null,
      };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/events/{event_id}',
    operationId: 'getEvent',
    tag,
    summary: 'Read an event',
    access: 'events:read',
    limit: 'requests',
    params: Type.Object({ event_id: Type.String({ maxLength: 64, description: 'The event’s id, `evt_…`.' }) }),
    responses: { 200: { description: 'The event.', schema: EventBody } },
    async handle(services, { principal, params }) {
      const id = parseId('evt', params.event_id);
      const event =
        id === null || principal.mode === 'test' ? null : await findEventById(services.db, principal.organization.uuid, id);
      if (event === null) throw notFound('event');
      return (await presenterOf(services.db, principal.organization, [event]))(event);
    },
  }),
];
