// The words of the detector: what goes in, what it says, and when.

/** What a series is made of: indicators, numbers or labels. */
export type SignalKind = 'rate' | 'numeric' | 'categorical';

/** How a monitor is to behave. All counts are of observations, all times in milliseconds. */
export interface MonitorSettings {
  readonly kind: SignalKind;
  /**
   * A change no larger than this is never reported: numeric in standard deviations of a feature (default 0.05), rate and
   * categorical relative to the baseline's share, or to what is left of 1 where that is less (default 0.1).
   */
  readonly tolerance?: number;
  /** Hours of the day (24 slots) or of the week (168) have their own baseline once two full periods are known. Default none. */
  readonly season?: 'none' | 'day' | 'week';
  /** Observations before anything is judged: 50 to 20 000, default 2 000. */
  readonly learnFrom?: number;
  /** Observations at which the baseline stops growing: default 50 000. */
  readonly learnUntil?: number;
  /** Time after which the baseline stops growing even below `learnUntil`: default 7 days. */
  readonly learnForMs?: number;
  /** Least time on the wall clock of one confirmation block: default 180 000. */
  readonly blockMs?: number;
  /** Quiet time after a report, unless the direction flips or the effect grows by half: default 24 h. */
  readonly cooldownMs?: number;
  /** How far behind the newest an observation may be and still be used, as of the newest's time: default 600 000. */
  readonly lateMs?: number;
}

/** One call's observations, in order of time. */
export interface Observations {
  /** Which delivery they came in; increases. A confirmation block needs two of them (with `blockMs` 0 one is enough). */
  readonly batch: number;
  /** numeric: finite numbers; rate: 0 or 1; categorical: labels. */
  readonly values: Float64Array | readonly string[];
  /**
   * Unix ms of each. An observation more than `lateMs` behind the newest is late: counted, not used. A time in the future would
   * make all that follows late, so callers bound times by their own clock.
   */
  readonly timesMs: Float64Array;
  /** Opaque ids of the observations, of which a few are kept as samples of a drift. */
  readonly ids?: readonly string[];
}

export type MonitorState = 'learning' | 'watching' | 'suspect' | 'sustained';

export type Direction = 'up' | 'down';

/**
 * What is watched about a series. Rate: `rate`. Numeric: `location` (mean rank among the baseline's values, 0.5 at
 * baseline), `spread` (mean distance of that rank from the middle), and the shares beyond the baseline's percentiles.
 * Categorical: `share of <label>`, or `share of other labels` for those outside the baseline's sixteen most frequent.
 */
export type FeatureName =
  | 'rate'
  | 'location'
  | 'spread'
  | 'share above p90'
  | 'share below p10'
  | 'share above p99'
  | 'share below p1'
  | 'share of other labels'
  | `share of ${string}`;

/** Values of a numeric signal in its own unit at four percentiles. */
export interface Percentiles {
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** One feature at baseline: its mean and the interval in which a mean counts as unchanged. */
export interface FeatureBaseline {
  readonly feature: FeatureName;
  /** The label, for a categorical feature that is one label's share. */
  readonly label?: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A baseline, for the record: what "unchanged" means from now on. Times in Unix ms. */
export interface BaselineReport {
  readonly n: number;
  readonly from: number;
  readonly to: number;
  /** Of the first feature: the rate, the mean rank (0.5), or the share of the most frequent label. */
  readonly value: number;
  /** Lower-case hex SHA-256 of the baseline's canonical form (`canonicalBaseline`). */
  readonly sha256: string;
  /** Whether it has stopped growing. */
  readonly frozen: boolean;
  /** Whether hours have baselines of their own. */
  readonly seasonal: boolean;
  readonly features: readonly FeatureBaseline[];
  /** Numeric signals only. */
  readonly percentiles?: Percentiles;
}

/** How large a change is, for the feature that tells it best. */
export interface Effect {
  /** current ÷ baseline, where the baseline is above 0 and the feature is a share. */
  readonly ratio?: number;
  /** current − baseline. */
  readonly difference?: number;
  /** The difference in standard deviations of the feature at baseline; absent where the baseline was constant. */
  readonly standardized?: number;
  /** The bound of "unchanged" that was left, in the feature's own unit. */
  readonly tolerance: number;
}

/** What is known of a change when it counts as sustained, and again when it has ended. Times in Unix ms. */
export interface DriftReport {
  readonly direction: Direction;
  readonly feature: FeatureName;
  /** The label that changed, for a categorical signal; absent for all labels outside the most frequent. */
  readonly label?: string;
  readonly baseline: {
    readonly n: number;
    readonly from: number;
    readonly to: number;
    readonly value: number;
    readonly sha256: string;
    readonly percentiles?: Percentiles;
  };
  /** From observations after the suspicion only: those before it were selected by it and would exaggerate. */
  readonly current: {
    readonly n: number;
    readonly value: number;
    readonly ci95: readonly [number, number];
    readonly percentiles?: Percentiles;
  };
  readonly effect: Effect;
  readonly onset: number;
  readonly suspected_at: number;
  readonly sustained_at: number;
  /** Only in the report of a recovery. */
  readonly recovered_at?: number;
  readonly blocks: number;
  readonly evidence: { readonly log10_e: number };
  readonly contributors: readonly { readonly feature: FeatureName; readonly direction: Direction; readonly weight: number }[];
  readonly sample_ids: readonly string[];
  /** Whether the season was not yet known (the threshold was ten times as high). */
  readonly provisional: boolean;
}

/** What happened in the course of a call. `observation` counts the observations used so far, `atMs` is the last one's time. */
export type Transition =
  | { readonly kind: 'baselined'; readonly atMs: number; readonly baseline: BaselineReport }
  | {
      readonly kind: 'suspected';
      readonly atMs: number;
      readonly observation: number;
      readonly onsetMs: number;
      readonly onsetObservation: number;
    }
  | { readonly kind: 'cleared'; readonly atMs: number; readonly observation: number }
  | { readonly kind: 'sustained'; readonly atMs: number; readonly observation: number; readonly report: DriftReport }
  | { readonly kind: 'recovered'; readonly atMs: number; readonly observation: number; readonly report: DriftReport };

/** The latest values of every feature. */
export interface CurrentReport {
  readonly n: number;
  /** Of the first feature, as in the baseline. */
  readonly value: number;
  readonly features: readonly { readonly feature: FeatureName; readonly label?: string; readonly value: number }[];
}

/** Where a monitor stands. */
export interface MonitorDescription {
  readonly kind: SignalKind;
  readonly state: MonitorState;
  readonly observations: number;
  readonly late: number;
  readonly baseline: BaselineReport | null;
  /** Observations still needed before anything is judged; 0 once there is a baseline. */
  readonly baselineNeeds: number;
  /** The last 500 observations that were looked at together; null before the first 500 after the baseline. */
  readonly current: CurrentReport | null;
  /** log10 of the detector's value and of the threshold at which it suspects (the provisional factor included). */
  readonly evidence: { readonly log10_m: number; readonly log10_c: number };
  readonly provisional: boolean;
  /** How many observations depend on each other, for the feature where it is most (1: none). */
  readonly dependence: number;
  /** Rates: observations needed to suspect a doubling; null for other kinds, or where this baseline could not show it. */
  readonly doublingNeeds: number | null;
  /** The drift that is on, if it is reported. */
  readonly episode: DriftReport | null;
}
