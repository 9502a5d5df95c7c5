import { LANES, type Lane } from '@sightline/core/analysis/lane';
import { laneOf, type Tenant } from '@sightline/core/analysis/tenant';
import { TurnQueue } from './turn-queue.ts';

/** While background work waits, it gets one turn after so many of interactive callers: one in eight. */
const INTERACTIVE_TURNS = 7;
/**
 * For how long after an interactive image a worker is kept free for the next one, in ms: a client that
 * works its way through images sends it within this time.
 */
const KEPT_FREE_MS = 2_000;

export interface LaneLoad {
  readonly queued: number;
  readonly running: number;
  /** How many environments have items in the queue. */
  readonly environmentsQueued: number;
}

export type LoadByLane = Readonly<Record<Lane, LaneLoad>>;

/** An item whose turn it is. Its taker calls `ended` when the item is finished. */
export interface Turn<Item> {
  readonly item: Item;
  readonly lane: Lane;
  readonly ended: () => void;
}

export interface LaneQueueOptions {
  /** How many workers can run now. */
  readonly workers: () => number;
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
}

/**
 * A queue for workers, with a lane for interactive callers and one for background work, in each of
 * which tenants take turns. Background work takes what interactive callers leave:
 *
 * - While both wait, it gets one turn in eight, so that it does not starve.
 * - Where there are several workers, one is kept free of it while interactive callers are there, and for
 *   a moment afterwards: their next image finds that worker free.
 * - Alone, it takes all workers.
 */
export class LaneQueue<Item extends object> {
  readonly #workers: () => number;
  readonly #now: () => number;
  readonly #queues: Readonly<Record<Lane, TurnQueue<Item>>>;
  readonly #running: Record<Lane, number> = { interactive: 0, background: 0 };
  /** Interactive turns in a row for which background work has waited. */
  #passed = 0;
  #interactiveAt = -Infinity;
  #isClosed = false;

  constructor({ workers, now = () => performance.now() }: LaneQueueOptions) {
    this.#workers = workers;
    this.#now = now;
    this.#queues = { interactive: new TurnQueue(), background: new TurnQueue() };
  }

  /** Items that wait, and items that were taken and have not ended. */
  get load(): LoadByLane {
    return { interactive: this.#loadOf('interactive'), background: this.#loadOf('background') };
  }

  /** Whether nothing waits and nothing runs. */
  get isDone(): boolean {
    return LANES.every((lane) => this.#queues[lane].size + this.#running[lane] === 0);
  }

  /** For how long a free worker may not begin background work, in ms; 0 if it may now. */
  get keptFreeMs(): number {
    const workers = this.#workers();
    if (this.#isClosed || workers <= 1 || this.#running.background < workers - 1) return 0;
    return Math.max(0, this.#lastInteractive() + KEPT_FREE_MS - this.#now());
  }

  push(tenant: Tenant, item: Item): void {
    const lane = laneOf(tenant);
    this.#queues[lane].push(tenant, item);
    this.#note(lane);
  }

  /** What is next for a free worker; undefined: nothing waits, or the worker is kept free. */
  take(): Turn<Item> | undefined {
    const lane = this.#nextLane();
    if (lane === null) return undefined;
    const item = this.#queues[lane].shift()!;
    const passes = lane === 'interactive' && this.#queues.background.size > 0;
    this.#passed = passes ? this.#passed + 1 : 0;
    this.#running[lane] += 1;
    const ended = () => {
      this.#running[lane] -= 1;
      this.#note(lane);
    };
    return { item, lane, ended };
  }

  /** False if the item does not wait. */
  delete(item: Item): boolean {
    const lane = LANES.find((one) => this.#queues[one].delete(item));
    if (lane !== undefined) this.#note(lane);
    return lane !== undefined;
  }

  /** Nothing more will come: no worker is kept free any longer. */
  close(): void {
    this.#isClosed = true;
  }

  /** Removes all that wait. */
  clear(): readonly Item[] {
    return LANES.flatMap((lane) => [...this.#queues[lane].drain()]);
  }

  #loadOf(lane: Lane): LaneLoad {
    const { size: queued, environments: environmentsQueued } = this.#queues[lane];
    return { queued, running: this.#running[lane], environmentsQueued };
  }

  #nextLane(): Lane | null {
    const { interactive, background } = this.#queues;
    const mayBegin = background.size > 0 && this.keptFreeMs === 0;
    if (interactive.size === 0) return mayBegin ? 'background' : null;
    return mayBegin && this.#passed >= INTERACTIVE_TURNS ? 'background' : 'interactive';
  }

  #note(lane: Lane): void {
    if (lane === 'interactive') this.#interactiveAt = this.#now();
  }

  /** When an interactive item was there last; they are there while they wait or run. */
  #lastInteractive(): number {
    const isThere = this.#queues.interactive.size + this.#running.interactive > 0;
    return isThere ? this.#now() : this.#interactiveAt;
  }
}
