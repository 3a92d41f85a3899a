// The package's front door.

export { APPLICATIONS, type Application } from './applications.ts';
export { labelsOf, type Change, type ChangeKind, type Label, type Signal } from './changes.ts';
export { Random, weightedPicker } from './random.ts';
export { simulate, type SimulatedBatch, type Simulation } from './simulate.ts';
export {
  ar1,
  bernoulli,
  categories,
  changedAt,
  clustered,
  clusteredBernoulli,
  lognormal,
  normal,
  rhythm,
  switchedAt,
  t3,
  take,
  ties,
  zipfWeights,
  type Source,
} from './streams.ts';
