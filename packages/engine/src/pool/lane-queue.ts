import { LANES, type Lane } from '@sightline/core/analysis/lane';
import { laneOf, type Tenant } from '@sightline/core/analysis/tenant';
import { TurnQueue } from '@sightline/platform/resilience/turn-queue';
import { type GatedQueue, LaneGate } from './lane-gate.ts';

export interface LaneLoad {
  readonly queued: number;
  readonly running: number;
  readonly environmentsQueued: number;
}

export type LoadByLane = Readonly<Record<Lane, LaneLoad>>;

/** An item whose turn has come. The worker calls `ended` when the item is finished. */
export interface Turn<Item> {
  readonly item: Item;
  readonly lane: Lane;
  readonly ended: () => void;
}

export interface LaneQueueOptions {
  readonly workers: () => number;
  /**
   * The gate that queues share if their workers run on the same cores. Without one, the queue has
   * its own gate.
   */
  readonly gate?: LaneGate | undefined;
  /** Called when another queue of the gate begins or ends work. */
  readonly onReconsider?: () => void;
}

/**
 * A queue for workers with two lanes: one for interactive callers, one for background work. Tenants
 * take turns within each lane. Background work gets the capacity that interactive callers do not
 * use:
 *
 * - While both lanes wait, background work gets one turn in eight, so that it does not starve.
 * - With several workers, one is kept free of background work while interactive callers have items,
 *   and for a short time afterwards, so that their next image finds a free worker.
 * - If no interactive caller is active, background work takes all workers.
 *
 * These rules apply to all queues of a gate together.
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

  /** The number of items that wait, and the number of items that were taken and have not ended. */
  get load(): LoadByLane {
    return { interactive: this.#loadOf('interactive'), background: this.#loadOf('background') };
  }

  get isDone(): boolean {
    return LANES.every((lane) => this.#queues[lane].size + this.#running[lane] === 0);
  }

  get workers(): number {
    return this.#workers();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** How long a free worker must not begin background work, in ms; 0 if it may begin now. */
  get keptFreeMs(): number {
    return this.#gate.keptFreeMs;
  }

  /**
   * The number of other workers that may take part in a running item of a lane now. A worker that is kept free for
   * interactive work does not help background work.
   */
  freeFor(lane: Lane): number {
    return lane === 'background' && this.keptFreeMs > 0 ? 0 : this.#gate.freeCores;
  }

  push(tenant: Tenant, item: Item): void {
    const lane = laneOf(tenant);
    this.#queues[lane].push(tenant, item);
    this.#gate.note(lane);
  }

  /** Returns the next item for a free worker, or undefined if no waiting item may begin now. */
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

  /** Returns false if the item does not wait. */
  delete(item: Item): boolean {
    const lane = LANES.find((one) => this.#queues[one].delete(item));
    if (lane !== undefined) this.#gate.note(lane);
    return lane !== undefined;
  }

  /**
   * Records that no more items will arrive. No worker is then kept free for interactive work,
   * unless another queue of the gate is open.
   */
  close(): void {
    this.#isClosed = true;
  }

  /** Records that the queue's workers have ended, so that their cores are free for other queues. */
  leave(): void {
    this.#gate.leave(this);
  }

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
