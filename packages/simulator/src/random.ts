// Random numbers that a seed repeats on every machine: the tests, the benchmarks and the demo see the same data.

/** A generator of random numbers (sfc32 of PractRand), the same for the same seed. */
export class Random {
  readonly #seed: string;
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 1;
  /** The second of a pair of normal numbers; NaN: none is left. */
  #spare = NaN;

  constructor(seed: string | number) {
    this.#seed = String(seed);
    [this.#a, this.#b, this.#c] = hash(this.#seed);
    for (let i = 0; i < 12; i++) this.uint32();
  }

  /** Another generator, which depends on the seed and the name alone and not on what was drawn so far. */
  fork(name: string | number): Random {
    return new Random(`${this.#seed}/${name}`);
  }

  uint32(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** From 0 to below 1, of 53 random bits. */
  uniform(): number {
    return ((this.uint32() >>> 5) * 67_108_864 + (this.uint32() >>> 6)) / 9_007_199_254_740_992;
  }

  /** A whole number from 0 to below `n`. */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** Mean 0, standard deviation 1 (Marsaglia's polar method). */
  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = NaN;
      return spare;
    }
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const square = x * x + y * y;
      if (square >= 1 || square === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(square)) / square);
      this.#spare = y * factor;
      return x * factor;
    }
  }

  /** How many events fall into an interval that expects `mean` of them. `mean`: small, since it takes a draw for each. */
  poisson(mean: number): number {
    let count = 0;
    for (let left = mean + Math.log(1 - this.uniform()); left > 0; left += Math.log(1 - this.uniform())) count++;
    return count;
  }

  /** How many failures come before the first success of this probability. */
  geometric(success: number): number {
    return Math.floor(Math.log(1 - this.uniform()) / Math.log(1 - success));
  }
}

/** An index at random, in proportion to the weights, which need not sum to 1. */
export function weightedPicker(weights: readonly number[]): (uniform: number) => number {
  let sum = 0;
  const sums = weights.map((weight) => (sum += weight));
  return (uniform) => {
    const at = uniform * sum;
    const index = sums.findIndex((upTo) => at < upTo);
    return index === -1 ? weights.length - 1 : index;
  };
}

/** Three words of a text: FNV-1a with three offsets, each stirred as MurmurHash3 stirs at its end. */
function hash(text: string): [number, number, number] {
  const words: [number, number, number] = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    for (let word = 0; word < 3; word++) words[word] = Math.imul(words[word]! ^ (unit + word * 0x101), 0x01000193);
  }
  return words.map(stir) as [number, number, number];
}

function stir(word: number): number {
  let stirred = word;
  stirred = Math.imul(stirred ^ (stirred >>> 16), 0x85ebca6b);
  stirred = Math.imul(stirred ^ (stirred >>> 13), 0xc2b2ae35);
  return stirred ^ (stirred >>> 16);
}
