import type { Lane } from '@sightline/core/analysis/lane';

/**
 * The number of interactive turns after which waiting background work gets one turn, which makes
 * one turn in eight.
 */
const INTERACTIVE_TURNS = 7;
/**
 * How long a worker is kept free for the next interactive image after the last interactive image,
 * in ms. A client that sends one image after another sends the next image within this time.
 */
const KEPT_FREE_MS = 2_000;

/** A queue whose workers share their cores with the workers of other queues. */
export interface GatedQueue {
  readonly workers: number;
  readonly isClosed: boolean;
  waitsIn(lane: Lane): boolean;
  runsIn(lane: Lane): number;
  /**
   * Called when another queue begins or ends work, because an item of this queue may be able to
   * begin at that moment.
   */
  reconsider(): void;
}

/**
 * Decides when background work may begin in queues that share the same cores. Two sets of models
 * have such queues while one replaces the other. Interactive work begins on any free worker.
 */
export class LaneGate {
  readonly #now: () => number;
  readonly #queues = new Set<GatedQueue>();
  /** The number of consecutive interactive turns that passed while background work waited. */
  #passed = 0;
  #interactiveAt = -Infinity;
  #isNotifying = false;

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  join(queue: GatedQueue): void {
    this.#queues.add(queue);
  }

  leave(queue: GatedQueue): void {
    this.#queues.delete(queue);
    this.#notify();
  }

  /** How long a free worker must not begin background work, in ms; 0 if it may begin now. */
  get keptFreeMs(): number {
    const cores = this.#cores();
    const isClosed = this.#all((queue) => queue.isClosed);
    if (isClosed || cores <= 1 || this.#running('background') < cores - 1) return 0;
    return Math.max(0, this.#lastInteractive() + KEPT_FREE_MS - this.#now());
  }

  /** The number of cores on which no work of any queue runs. */
  get freeCores(): number {
    const running = this.#running('interactive') + this.#running('background');
    return Math.max(0, this.#cores() - running);
  }

  /**
   * Whether enough interactive turns have passed for the next turn to belong to waiting background
   * work.
   */
  get isBackgroundDue(): boolean {
    return this.#passed >= INTERACTIVE_TURNS;
  }

  /**
   * Returns whether a free worker of a queue may begin background work if the queue has no
   * interactive work waiting.
   */
  mayBeginBackground(queue: GatedQueue): boolean {
    if (this.keptFreeMs > 0) return false;
    const running = this.#running('interactive') + this.#running('background');
    const isAlone = running === queue.runsIn('interactive') + queue.runsIn('background');
    return isAlone || running < this.#cores() || this.isBackgroundDue;
  }

  /** Records that a queue begins work of a lane. */
  begun(lane: Lane): void {
    const passes = lane === 'interactive' && this.#some((queue) => queue.waitsIn('background'));
    this.#passed = passes ? this.#passed + 1 : 0;
    this.#notify();
  }

  /** Records that work of a lane arrived, left its queue, or ended. */
  note(lane: Lane): void {
    if (lane === 'interactive') this.#interactiveAt = this.#now();
    this.#notify();
  }

  /**
   * Returns the number of cores that the queues share: the largest number of workers of one queue, because workers of
   * different queues run on the same cores.
   */
  #cores(): number {
    return Math.max(0, ...[...this.#queues].map(({ workers }) => workers));
  }

  #running(lane: Lane): number {
    let running = 0;
    for (const queue of this.#queues) running += queue.runsIn(lane);
    return running;
  }

  /**
   * Returns the time of the last interactive work: the current time while interactive work waits or
   * runs.
   */
  #lastInteractive(): number {
    const isActive = this.#some(
      (queue) => queue.waitsIn('interactive') || queue.runsIn('interactive') > 0,
    );
    return isActive ? this.#now() : this.#interactiveAt;
  }

  #some(condition: (queue: GatedQueue) => boolean): boolean {
    return [...this.#queues].some(condition);
  }

  #all(condition: (queue: GatedQueue) => boolean): boolean {
    return [...this.#queues].every(condition);
  }

  /**
   * Makes all queues check whether they may begin work now. The check runs in a microtask, so that it follows the
   * caller's current step, and runs once if several steps cause it.
   */
  #notify(): void {
    if (this.#isNotifying || this.#queues.size < 2) return;
    this.#isNotifying = true;
    queueMicrotask(() => {
      this.#isNotifying = false;
      for (const queue of this.#queues) queue.reconsider();
    });
  }
}
