// Intervals and quantiles of what the benchmark counts.

/** A count as so many in `per` observations, with its exact interval. */
export function countIn(count: number, observations: number, per: number): string {
  const [low, high] = poissonInterval(count).map((mean) => ((mean * per) / observations).toFixed(2));
  return `${((count * per) / observations).toFixed(2)} (${low}–${high})`;
}

/** The exact two-sided 95 % interval of a Poisson mean of which `count` events were seen (Garwood 1936). */
function poissonInterval(count: number): readonly [low: number, high: number] {
  const widest = count + 10 * Math.sqrt(count + 1) + 10;
  const low = count === 0 ? 0 : solve((mean) => 1 - poissonBelow(count - 1, mean) - 0.025, 0, widest);
  return [low, solve((mean) => 0.025 - poissonBelow(count, mean), 0, widest)];
}

/** The chance of at most `count` events. The terms are summed from the largest down, so that none overflows. */
function poissonBelow(count: number, mean: number): number {
  if (mean === 0) return 1;
  const from = Math.min(count, Math.floor(mean));
  const largest = Math.exp(from * Math.log(mean) - mean - logFactorial(from));
  let sum = 0;
  for (let i = from, term = largest; i >= 0 && term > 1e-18 * largest; term *= i / mean, i--) sum += term;
  for (let i = from + 1, term = (largest * mean) / i; i <= count && term > 1e-18 * largest; i++, term *= mean / i) sum += term;
  return sum;
}

function logFactorial(n: number): number {
  if (n < 30) {
    let log = 0;
    for (let i = 2; i <= n; i++) log += Math.log(i);
    return log;
  }
  // Stirling's series; the next term is below 1e-10 from 30 on.
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
}

/** Where a rising function is 0. */
function solve(rising: (x: number) => number, low: number, high: number): number {
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (rising(middle) < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The value below which that share of them lies; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;
}
