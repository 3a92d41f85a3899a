// What counts of the trail look for in `telemetry.received`, as SQL finds it.

/** A pattern for the beginning of its data: how many texts the service assessed, by outcome. */
export const ASSESSED_IN_DATA = String.raw`^\{"assessed":\{"allowed":(\d+),"flagged":(\d+),"blocked":(\d+)\}`;
