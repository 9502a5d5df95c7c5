import type { JobType } from '@sightline/core/jobs/job';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import type { JobQueue } from '@sightline/core/jobs/job-queue';
import { runNextItem, type RunItemDeps } from '@sightline/core/jobs/run-next-item';
import { ALL_DONE, type BackgroundTask } from '../tasks/background-task.ts';
import type { OutageLog } from '../tasks/outage-log.ts';
import { TaskLoop, type TaskLoopDeps } from '../tasks/task-loop.ts';
import { SlotShares } from './slot-shares.ts';

export interface JobSlotsDeps extends RunItemDeps {
  readonly jobs: RunItemDeps['jobs'] & Pick<JobQueue, 'claim'>;
  /** The most images on which the jobs of one environment work at the same time in this process. */
  readonly concurrency: number;
  readonly outages: Pick<OutageLog, 'failed' | 'succeeded'>;
  readonly taskFailed: TaskLoopDeps['taskFailed'];
}

/** How often a process without work polls for items, in ms. */
const POLL_MS = 1_000;

type Kind = 'images' | 'archives' | 'downloads' | 'activations' | 'decisions';

const KINDS: Readonly<Record<JobType, Kind>> = {
  reembed: 'images',
  bulk_detect: 'images',
  reprocess: 'images',
  export: 'archives',
  import: 'archives',
  model_download: 'downloads',
  activate_model: 'activations',
  bulk_review: 'decisions',
  bulk_detections: 'decisions',
  bulk_images: 'images',
  undo: 'decisions',
};
/**
 * The slots for images, as a multiple of the concurrency. One environment gets half of the slots. While its images wait
 * for hosts that do not respond, the other half is free for other environments.
 */
const IMAGE_SLOTS = 2;
/**
 * Archives and downloads may take hours. With two slots each, one environment does not block all others. An activation
 * may wait days for approval, so the activations of faces and objects have one slot each.
 */
const SLOTS: Readonly<Record<Exclude<Kind, 'images'>, number>> = {
  archives: 2,
  downloads: 2,
  activations: 2,
  decisions: 2,
};

/** Works on the items of jobs. Each slot works on one item at a time. */
export class JobSlots implements AsyncDisposable {
  readonly #groups: readonly SlotGroup[];
  readonly #imageShares: SlotShares;

  constructor(deps: JobSlotsDeps) {
    const types = Object.keys(deps.works) as JobType[];
    const typesOf = (kind: Kind) => types.filter((type) => KINDS[type] === kind);
    const slots = IMAGE_SLOTS * deps.concurrency;
    this.#imageShares = new SlotShares(slots);
    const images = { types: typesOf('images'), slots, shares: this.#imageShares };
    const others = (['archives', 'downloads', 'activations', 'decisions'] as const).map((kind) => ({
      types: typesOf(kind),
      slots: SLOTS[kind],
      shares: null,
    }));
    this.#groups = [images, ...others].map((options) => new SlotGroup(deps, options));
  }

  /** Whether items of images are being worked on. */
  get hasImages(): boolean {
    return this.#imageShares.isHeld;
  }

  start(): void {
    for (const group of this.#groups) group.start();
  }

  wake(): void {
    for (const group of this.#groups) group.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#groups.map((group) => group[Symbol.asyncDispose]()));
  }
}

interface SlotGroupOptions {
  readonly types: readonly JobType[];
  readonly slots: number;
  /** The shares of environments; null if any environment may take all slots. */
  readonly shares: SlotShares | null;
}

/**
 * Slots for jobs of one kind. Each slot has a loop. While there are no items, only one slot at a time polls; when it
 * claims an item, it wakes the other slots.
 */
class SlotGroup implements AsyncDisposable {
  readonly #deps: JobSlotsDeps;
  readonly #types: readonly JobType[];
  readonly #shares: SlotShares | null;
  readonly #loops: readonly TaskLoop[];
  /** The earliest time of the next poll, as `performance.now()` counts it. */
  #nextPoll = 0;

  constructor(deps: JobSlotsDeps, { types, slots, shares }: SlotGroupOptions) {
    this.#deps = deps;
    this.#types = types;
    this.#shares = shares;
    const task: BackgroundTask = {
      name: 'run_jobs',
      everyMs: POLL_MS,
      run: (signal) => this.#run(signal),
    };
    const count = types.length === 0 ? 0 : slots;
    this.#loops = Array.from({ length: count }, () => new TaskLoop(task, deps));
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  wake(): void {
    this.#nextPoll = 0;
    for (const loop of this.#loops) loop.wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop[Symbol.asyncDispose]()));
  }

  async #run(signal: AbortSignal): Promise<{ readonly more: boolean }> {
    if (performance.now() < this.#nextPoll) return ALL_DONE;
    this.#nextPoll = performance.now() + POLL_MS / 2;
    const claimed: ClaimedItem[] = [];
    const claim = async () => {
      const item = await this.#claim();
      if (item !== null) claimed.push(item);
      return item;
    };
    try {
      return { more: await runNextItem(this.#itemDeps(), claim, signal) };
    } finally {
      for (const item of claimed) this.#giveBack(item);
    }
  }

  /** Lets the slot claim at once, because its environment's share may be why another slot has just found no item. */
  #giveBack(item: ClaimedItem): void {
    this.#shares?.giveBack(item);
    this.#nextPoll = 0;
  }

  #claim(): Promise<ClaimedItem | null> {
    const claim = (except?: readonly number[]) => this.#deps.jobs.claim(this.#types, except);
    return this.#shares === null ? claim() : this.#shares.claim(claim);
  }

  #itemDeps(): RunItemDeps {
    const { outages, ...deps } = this.#deps;
    const about = (type: JobType) => `jobs of type ${type}`;
    return {
      ...deps,
      claimed: () => this.wake(),
      ended: (type, outcome) => {
        outages.succeeded(about(type));
        deps.ended?.(type, outcome);
      },
      waits: (type, error) => outages.failed(about(type), error),
    };
  }
}
