// The incomplete beta function and its inverse, for exact binomial bounds.

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
  9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0 (Lanczos, g = 7, 9 terms), to about 1e-15 relative. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  let sum = 0.99999999999980993;
  for (const [index, weight] of LANCZOS.entries()) sum += weight / (x + index);
  const base = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}

const STEPS_MAX = 20_000;
const TINY = 1e-300;

/** I_x(a, b), the probability that a Beta(a, b) variable is at most x; a, b > 0. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The continued fraction converges fast on the near side of the mean only.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** The continued fraction of DLMF 8.17.22, by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= STEPS_MAX; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return value;
}

function away(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

const REFINEMENTS_MAX = 200;

/**
 * The x at which I_x(a, b) = `share`, to twelve digits: Newton's steps on the logarithm of the smaller tail, which is nearly
 * straight far out, and bisection where a step leads out of the bracket.
 */
export function betaQuantile(share: number, a: number, b: number): number {
  const isLower = share <= 0.5;
  const target = Math.log(isLower ? share : 1 - share);
  const logBeta = logGamma(a) + logGamma(b) - logGamma(a + b);
  let low = 0;
  let high = 1;
  let x = a / (a + b);
  for (let step = 0; step < REFINEMENTS_MAX; step++) {
    const tail = isLower ? incompleteBeta(x, a, b) : incompleteBeta(1 - x, b, a);
    const isBelow = isLower ? Math.log(tail) < target : Math.log(tail) > target;
    if (isBelow) low = x;
    else high = x;
    const logDensity = (a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - logBeta;
    const slope = Math.exp(logDensity - Math.log(tail)) * (isLower ? 1 : -1);
    const wanted = x + (target - Math.log(tail)) / slope;
    const next = wanted > low && wanted < high ? wanted : (low + high) / 2;
    if (Math.abs(next - x) <= 1e-12 * x) return next;
    x = next;
  }
  return x;
}
