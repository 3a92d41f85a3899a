// Sets of 32-bit hashes in one flat array: no objects, no strings.

const LOAD = 2;

/** A set of non-zero 32-bit numbers. */
export class HashSet {
  private readonly slots: Int32Array;
  private readonly mask: number;

  /** `entriesMax`: how many will be added at most. */
  constructor(entriesMax: number) {
    const size = tableSize(entriesMax);
    this.slots = new Int32Array(size);
    this.mask = size - 1;
  }

  add(hash: number): void {
    const { slots, mask } = this;
    let at = hash & mask;
    while (slots[at] !== 0 && slots[at] !== hash) at = (at + 1) & mask;
    slots[at] = hash;
  }

  has(hash: number): boolean {
    const { slots, mask } = this;
    let at = hash & mask;
    while (slots[at] !== 0) {
      if (slots[at] === hash) return true;
      at = (at + 1) & mask;
    }
    return false;
  }
}

/** The places of hashes in a list, in ascending order. */
export class Places {
  private readonly slots: Int32Array;
  private readonly mask: number;
  private readonly hashes: Int32Array;
  private readonly following: Int32Array;

  /** Indexes the first `count` of `hashes`, none of them 0. */
  constructor(hashes: Int32Array, count: number) {
    const size = tableSize(count);
    this.slots = new Int32Array(size);
    this.mask = size - 1;
    this.hashes = hashes;
    this.following = new Int32Array(count);
    for (let place = count - 1; place >= 0; place--) {
      const at = this.slotOf(hashes[place]!);
      this.following[place] = this.slots[at]!;
      this.slots[at] = place + 1;
    }
  }

  /** The first place of `hash`, -1 when it has none. */
  first(hash: number): number {
    return this.slots[this.slotOf(hash)]! - 1;
  }

  /** The next place of the hash at `place`, -1 after the last. */
  after(place: number): number {
    return this.following[place]! - 1;
  }

  private slotOf(hash: number): number {
    const { slots, mask, hashes } = this;
    let at = hash & mask;
    while (slots[at] !== 0 && hashes[slots[at]! - 1] !== hash) at = (at + 1) & mask;
    return at;
  }
}

function tableSize(entries: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(4, entries * LOAD)));
}
