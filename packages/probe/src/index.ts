// The package's front door: a probe inside of an application. The agent, `main.ts`, is built on the same.

export type { Clock } from './clock.ts';
export type { Judges } from './decide.ts';
export { BusyError, StartError } from './errors.ts';
export type { Exchange } from './exchange.ts';
export type { GuardEnd, StreamGuard, WrittenToolCall } from './guard.ts';
export type { OnNoPolicy } from './policy/holder.ts';
export { openProbe, type Decision, type Probe, type ProbeOptions, type ProbeStatus } from './probe.ts';
export type { About, Verdict } from './report.ts';
