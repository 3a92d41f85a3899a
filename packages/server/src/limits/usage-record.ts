// What one organization used, second by second, until it is written down.

/** Three columns of equal length. Seconds ascend, but for records that were put back. */
export class UsageRecord {
  readonly seconds: number[] = [];
  readonly requests: number[] = [];
  readonly assessments: number[] = [];

  get isEmpty(): boolean {
    return this.seconds.length === 0;
  }

  add(second: number, requests: number, assessments: number): void {
    if (requests === 0 && assessments === 0) return;
    const last = this.seconds.length - 1;
    if (this.seconds[last] === second) {
      this.requests[last]! += requests;
      this.assessments[last]! += assessments;
      return;
    }
    this.seconds.push(second);
    this.requests.push(requests);
    this.assessments.push(assessments);
  }

  /** Adds the rows of `other` from second `oldest` on, which bounds what waits while nothing can be written. */
  addAll(other: UsageRecord, oldest: number): void {
    for (const [i, second] of other.seconds.entries()) {
      if (second >= oldest) this.add(second, other.requests[i]!, other.assessments[i]!);
    }
  }

  /** Hands all of it over; nothing is left. */
  moveOut(): UsageRecord {
    const moved = new UsageRecord();
    moved.addAll(this, -Infinity);
    for (const column of [this.seconds, this.requests, this.assessments]) column.length = 0;
    return moved;
  }
}
