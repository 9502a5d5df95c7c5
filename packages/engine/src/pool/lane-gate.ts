import type { Lane } from '@sightline/core/analysis/lane';

/** While background work waits, it gets one turn after so many of interactive callers: one in eight. */
const INTERACTIVE_TURNS = 7;
/**
 * For how long after an interactive image a worker is kept free for the next one, in ms: a client that
 * works its way through images sends it within this time.
 */
const KEPT_FREE_MS = 2_000;

/** A queue of workers that share their cores with those of other queues. */
export interface GatedQueue {
  /** How many of its workers can run now. */
  readonly workers: number;
  readonly isClosed: boolean;
  waitsIn(lane: Lane): boolean;
  runsIn(lane: Lane): number;
  /** Another queue began or ended something: what waits here may be next. */
  reconsider(): void;
}

/**
 * Decides when background work may begin in queues that share the same cores, as those of two sets of
 * models do while one follows the other. Interactive work begins wherever a worker is free.
 */
export class LaneGate {
  readonly #now: () => number;
  readonly #queues = new Set<GatedQueue>();
  /** Interactive turns in a row for which background work has waited. */
  #passed = 0;
  #interactiveAt = -Infinity;
  #isTelling = false;

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  join(queue: GatedQueue): void {
    this.#queues.add(queue);
  }

  leave(queue: GatedQueue): void {
    this.#queues.delete(queue);
    this.#tell();
  }

  /** For how long a free worker may not begin background work, in ms; 0 if it may now. */
  get keptFreeMs(): number {
    const cores = this.#cores();
    const isClosed = this.#all((queue) => queue.isClosed);
    if (isClosed || cores <= 1 || this.#running('background') < cores - 1) return 0;
    return Math.max(0, this.#lastInteractive() + KEPT_FREE_MS - this.#now());
  }

  /** Whether background work has waited for so many interactive turns that the next one is its own. */
  get isBackgroundDue(): boolean {
    return this.#passed >= INTERACTIVE_TURNS;
  }

  /** Whether a free worker of a queue may begin background work if no interactive work waits for it. */
  mayBeginBackground(queue: GatedQueue): boolean {
    if (this.keptFreeMs > 0) return false;
    const running = this.#running('interactive') + this.#running('background');
    const isAlone = running === queue.runsIn('interactive') + queue.runsIn('background');
    return isAlone || running < this.#cores() || this.isBackgroundDue;
  }

  /** Work of a lane begins in a queue. */
  begun(lane: Lane): void {
    const passes = lane === 'interactive' && this.#some((queue) => queue.waitsIn('background'));
    this.#passed = passes ? this.#passed + 1 : 0;
    this.#tell();
  }

  /** Work of a lane came, left the queue, or has ended. */
  note(lane: Lane): void {
    if (lane === 'interactive') this.#interactiveAt = this.#now();
    this.#tell();
  }

  /** Workers of different queues run on the same cores. */
  #cores(): number {
    return Math.max(0, ...[...this.#queues].map(({ workers }) => workers));
  }

  #running(lane: Lane): number {
    let running = 0;
    for (const queue of this.#queues) running += queue.runsIn(lane);
    return running;
  }

  /** When an interactive item was there last; they are there while they wait or run. */
  #lastInteractive(): number {
    const isThere = this.#some(
      (queue) => queue.waitsIn('interactive') || queue.runsIn('interactive') > 0,
    );
    return isThere ? this.#now() : this.#interactiveAt;
  }

  #some(condition: (queue: GatedQueue) => boolean): boolean {
    return [...this.#queues].some(condition);
  }

  #all(condition: (queue: GatedQueue) => boolean): boolean {
    return [...this.#queues].every(condition);
  }

  /** Once per turn of the event loop's microtasks, after the caller has finished its own step. */
  #tell(): void {
    if (this.#isTelling || this.#queues.size < 2) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const queue of this.#queues) queue.reconsider();
    });
  }
}
