import type { ClaimedItem } from '@sightline/core/jobs/job-item';

/**
 * Divides slots among environments by dynamic thresholds: an environment may take another slot only while it holds fewer
 * than are free. One environment gets half of the slots, two get a third each, and slots stay free for the next one.
 */
export class SlotShares {
  readonly #slots: number;
  /** The number of slots that each environment holds. */
  readonly #held = new Map<number, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Whether an environment holds a slot. */
  get isHeld(): boolean {
    return this.#held.size > 0;
  }

  /**
   * Claims an item, which then holds a slot. Claims follow one another, because each one depends on the slots that
   * earlier claims took.
   *
   * @param claim claims an item of any environment except these
   */
  claim(
    claim: (except: readonly number[]) => Promise<ClaimedItem | null>,
  ): Promise<ClaimedItem | null> {
    const claiming = this.#last.then(async () => {
      const item = await claim(this.#overShare());
      if (item !== null) this.#add(item, 1);
      return item;
    });
    this.#last = claiming.catch(() => undefined);
    return claiming;
  }

  giveBack(item: ClaimedItem): void {
    this.#add(item, -1);
  }

  #overShare(): readonly number[] {
    const held = [...this.#held];
    const free = this.#slots - held.reduce((sum, [, count]) => sum + count, 0);
    return held.filter(([, count]) => count >= free).map(([environmentId]) => environmentId);
  }

  #add({ job: { environmentId } }: ClaimedItem, slots: number): void {
    const count = (this.#held.get(environmentId) ?? 0) + slots;
    if (count === 0) this.#held.delete(environmentId);
    else this.#held.set(environmentId, count);
  }
}
