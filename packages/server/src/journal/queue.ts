// How an event becomes deliveries: the one place that says who hears of what. SQL, because it happens in the commit of the event.

/** SQL: whether an endpoint that lists `events` hears of `kind`. `*` leaves out the kinds that come with every inference. */
export function listens(kind: string, events: string): string {
  return `(${kind} = ANY (${events}) OR ('*' = ANY (${events}) AND ${kind} NOT IN ('inference.allowed', 'telemetry.received')))`;
}

/**
 * SQL: the id of the delivery of an event to an endpoint, a UUIDv7 of the event's time, made of both ids so that there can be only one.
 */
export function deliveryIdOf(eventId: string, endpointId: string): string {
  return `(left(replace(${eventId}::text, '-', ''), 16) || 'a' || left(md5(${eventId}::text || ${endpointId}::text), 15))::uuid`;
}
