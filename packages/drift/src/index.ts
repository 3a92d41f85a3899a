// The front door of the drift detector.

export { Monitor } from './monitor.ts';
export { thresholdFor } from './threshold.ts';
export type {
  BaselineReport,
  CurrentReport,
  Direction,
  DriftReport,
  Effect,
  FeatureBaseline,
  FeatureName,
  MonitorDescription,
  MonitorSettings,
  MonitorState,
  Observations,
  Percentiles,
  SignalKind,
  Transition,
} from './types.ts';
