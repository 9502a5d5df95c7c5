import { LANES, type Lane } from '@sightline/core/analysis/lane';
import { laneOf, type Tenant } from '@sightline/core/analysis/tenant';
import { type GatedQueue, LaneGate } from './lane-gate.ts';
import { TurnQueue } from './turn-queue.ts';

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
  /** Shared with other queues whose workers run on the same cores; absent: one of its own. */
  readonly gate?: LaneGate | undefined;
  /** Called when another queue of the gate began or ended something. */
  readonly onReconsider?: () => void;
}

/**
 * A queue for workers, with a lane for interactive callers and one for background work, in each of
 * which tenants take turns. Background work takes what interactive callers leave:
 *
 * - While both wait, it gets one turn in eight, so that it does not starve.
 * - Where there are several workers, one is kept free of it while interactive callers are there, and for
 *   a moment afterwards: their next image finds that worker free.
 * - Alone, it takes all workers.
 *
 * Queues with the same gate are one in this respect.
 */
export class LaneQueue<Item extends object> implements GatedQueue {
  readonly #workers: () => number;
  readonly #gate: LaneGate;
  readonly #onReconsider: () => void;
  readonly #queues: Readonly<Record<Lane, TurnQueue<Item>>>;
  readonly #running: Record<Lane, number> = { interactive: 0, background: 0 };
  #isClosed = false;

  constructor({
    workers,
    gate = new LaneGate(),
    onReconsider = () => undefined,
  }: LaneQueueOptions) {
    this.#workers = workers;
    this.#gate = gate;
    this.#onReconsider = onReconsider;
    this.#queues = { interactive: new TurnQueue(), background: new TurnQueue() };
    gate.join(this);
  }

  /** Items that wait, and items that were taken and have not ended. */
  get load(): LoadByLane {
    return { interactive: this.#loadOf('interactive'), background: this.#loadOf('background') };
  }

  /** Whether nothing waits and nothing runs. */
  get isDone(): boolean {
    return LANES.every((lane) => this.#queues[lane].size + this.#running[lane] === 0);
  }

  get workers(): number {
    return this.#workers();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** For how long a free worker may not begin background work, in ms; 0 if it may now. */
  get keptFreeMs(): number {
    return this.#gate.keptFreeMs;
  }

  push(tenant: Tenant, item: Item): void {
    const lane = laneOf(tenant);
    this.#queues[lane].push(tenant, item);
    this.#gate.note(lane);
  }

  /** What is next for a free worker; undefined: nothing waits, or what waits may not begin yet. */
  take(): Turn<Item> | undefined {
    const lane = this.#nextLane();
    if (lane === null) return undefined;
    const item = this.#queues[lane].shift()!;
    this.#running[lane] += 1;
    this.#gate.begun(lane);
    const ended = () => {
      this.#running[lane] -= 1;
      this.#gate.note(lane);
    };
    return { item, lane, ended };
  }

  /** False if the item does not wait. */
  delete(item: Item): boolean {
    const lane = LANES.find((one) => this.#queues[one].delete(item));
    if (lane !== undefined) this.#gate.note(lane);
    return lane !== undefined;
  }

  /** Nothing more will come: no worker is kept free any longer, unless another queue is open. */
  close(): void {
    this.#isClosed = true;
  }

  /** The workers have ended, and their cores are free. */
  leave(): void {
    this.#gate.leave(this);
  }

  /** Removes all that wait. */
  clear(): readonly Item[] {
    return LANES.flatMap((lane) => [...this.#queues[lane].drain()]);
  }

  waitsIn(lane: Lane): boolean {
    return this.#queues[lane].size > 0;
  }

  runsIn(lane: Lane): number {
    return this.#running[lane];
  }

  reconsider(): void {
    this.#onReconsider();
  }

  #loadOf(lane: Lane): LaneLoad {
    const { size: queued, environments: environmentsQueued } = this.#queues[lane];
    return { queued, running: this.#running[lane], environmentsQueued };
  }

  #nextLane(): Lane | null {
    const mayBegin = this.waitsIn('background') && this.#gate.mayBeginBackground(this);
    if (!this.waitsIn('interactive')) return mayBegin ? 'background' : null;
    return mayBegin && this.#gate.isBackgroundDue ? 'background' : 'interactive';
  }
}
