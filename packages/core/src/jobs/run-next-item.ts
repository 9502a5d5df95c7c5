import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../domain-error.ts';
import { withHeartbeat } from '../leases/with-heartbeat.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import { EnvironmentDeleted } from '../store/environment-deleted.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { COUNTED_BY_WORK, type ItemFailure, type JobType } from './job.ts';
import { isOutage } from './is-outage.ts';
import { ClaimLost } from './job-errors.ts';
import type { ClaimedItem, ItemClaim, ItemEnd } from './job-item.ts';
import type { ClaimState, Crash, JobQueue } from './job-queue.ts';
import type { JobTools, JobWorks } from './job-work.ts';

export interface RunItemDeps {
  readonly jobs: Pick<JobQueue, 'renew' | 'report' | 'release'>;
  readonly works: JobWorks;
  /** Ends an item in a transaction of its own. */
  readonly endItem: (claim: ItemClaim, end: ItemEnd) => Promise<void>;
  readonly media: Pick<MediaStore, 'remove'>;
  /** Called when an item was claimed, because more items may be waiting. */
  readonly claimed?: () => void;
  readonly ended?: (type: JobType, outcome: 'done' | 'failed') => void;
  /** Called when an item returns to the queue because a dependency is unavailable. */
  readonly waits?: (type: JobType, error: DomainError) => void;
}

/** The lease lasts 25 s, so one heartbeat may fail without the loss of the item. */
const HEARTBEAT_MS = 10_000;
/**
 * The shorter interval of heartbeats for work that a cancellation aborts. While such work waits for a server that
 * does not respond, only a heartbeat notices the cancellation.
 */
const PROMPT_HEARTBEAT_MS = 2_000;
/** The pause of a job whose items need an unavailable dependency, in ms. */
const OUTAGE_PAUSE_MS = 2_000;
/** An item fails after this many processes, inference processes or worker threads have died while they worked on it alone. */
const MAX_DEATHS = 2;

const CRASHED: ItemFailure = {
  code: 'internal_error',
  detail: 'The service crashed twice while it worked on this item.',
};
const UNEXPECTED: ItemFailure = {
  code: 'internal_error',
  detail: 'An unexpected error occurred. The log of the service has the details.',
};
const CANCELLED: ItemFailure = { code: 'cancelled', detail: 'The job was cancelled.' };

/**
 * Claims an item from the queue and processes it. The item returns to the queue if the signal aborts, or if a dependency
 * is unavailable; after an outage, its job also pauses.
 *
 * @param claim a claim of the queue
 * @returns false if no item was waiting
 * @throws unexpected errors of the work; StoreUnavailable; the signal's reason on abort
 */
export async function runNextItem(
  deps: RunItemDeps,
  claim: () => ReturnType<JobQueue['claim']>,
  signal: AbortSignal,
): Promise<boolean> {
  const item = await claim();
  if (item === null) return false;
  deps.claimed?.();
  const hold = new Hold(deps, item, signal);
  try {
    await processItem(deps, item, { hold, signal });
  } catch (error) {
    if (error instanceof ClaimLost || hold.state === 'lost') return true;
    // The deletion of the environment deletes the item.
    if (error instanceof EnvironmentDeleted) return true;
    if (signal.aborted) {
      // A failed release is ignored, because the lease of the item expires anyway.
      await deps.jobs.release(item.claim, { pauseMs: 0 }).catch(() => undefined);
      signal.throwIfAborted();
    }
    if (!isOutage(error)) throw error;
    deps.waits?.(item.job.type, error);
    await releaseItem(deps, item, { error, signal });
  }
  return true;
}

/**
 * Runs the work of the item. If the work fails, the item ends as failed.
 *
 * @throws the error of an unavailable dependency, ClaimLost or the signal's reason, before the item has ended;
 *   unexpected errors of the work, after the item has ended
 */
async function processItem(
  deps: RunItemDeps,
  item: ClaimedItem,
  { hold, signal }: { readonly hold: Hold; readonly signal: AbortSignal },
): Promise<void> {
  if (item.deaths >= MAX_DEATHS) return fail(deps, item, CRASHED);
  try {
    await hold.during((tools) => workOf(deps.works, item)(tools));
  } catch (error) {
    if (error instanceof ClaimLost || hold.state === 'lost' || signal.aborted) throw error;
    if (hold.state === 'cancelled') return fail(deps, item, CANCELLED);
    if (isOutage(error)) throw error;
    if (error instanceof DomainError) {
      return fail(deps, item, { code: error.code, detail: error.message });
    }
    await fail(deps, item, UNEXPECTED);
    throw error;
  }
  await hasEnded(deps, item, hold.outcome);
}

async function fail(deps: RunItemDeps, item: ClaimedItem, error: ItemFailure): Promise<void> {
  await deps.endItem(item.claim, { error });
  await hasEnded(deps, item, error === CANCELLED ? 'cancelled' : 'failed');
}

/** The upload of a failed item is kept with the results of its job. */
async function hasEnded(
  { ended, media }: RunItemDeps,
  { job, uploadKey }: ClaimedItem,
  outcome: 'done' | 'failed' | 'cancelled',
): Promise<void> {
  ended?.(job.type, outcome === 'done' ? 'done' : 'failed');
  if (uploadKey !== null && outcome !== 'failed') await discardFiles(media, [uploadKey]);
}

/**
 * Returns an item to the queue, and retries until the database is available. An expired lease would be counted as a
 * death of the process.
 *
 * @throws the signal's reason on abort
 */
async function releaseItem(
  { jobs }: RunItemDeps,
  { claim }: ClaimedItem,
  { error, signal }: { readonly error: DomainError; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    try {
      await jobs.release(claim, { pauseMs: pauseAfter(error), crash: crashOf(error) });
      return;
    } catch (failure) {
      if (!(failure instanceof StoreUnavailable)) throw failure;
      await setTimeout(OUTAGE_PAUSE_MS / 2, undefined, { signal });
    }
  }
}

/** A claim that is renewed while the work runs. */
class Hold {
  readonly #deps: RunItemDeps;
  readonly #item: ClaimedItem;
  readonly #stop: AbortSignal;
  readonly #end = new AbortController();
  /** The state that aborted the work; `held` if the work was not aborted. */
  state: ClaimState = 'held';
  /** The outcome with which the work ended the item. */
  outcome: 'done' | 'failed' = 'done';

  constructor(deps: RunItemDeps, item: ClaimedItem, stop: AbortSignal) {
    this.#deps = deps;
    this.#item = item;
    this.#stop = stop;
  }

  /**
   * Runs the work, while heartbeats renew the lease.
   *
   * @throws the errors of the work
   */
  during(work: (tools: JobTools) => Promise<void>): Promise<void> {
    const { jobs, endItem } = this.#deps;
    const { claim, job } = this.#item;
    const tools: JobTools = {
      signal: AbortSignal.any([this.#stop, this.#end.signal]),
      report: async (progress) => {
        this.#notice(await jobs.report(claim, progress));
        this.#end.signal.throwIfAborted();
      },
      check: (tx) => tx.jobs.requireHeld(claim),
      advance: (tx, step) => tx.jobs.advance(claim, step),
      settle: (present) => (tx, result) => tx.jobs.endItem(claim, this.#ending(present(result))),
      end: (end) => endItem(claim, this.#ending(end)),
    };
    const heartbeat = {
      everyMs: COUNTED_BY_WORK.has(job.type) ? PROMPT_HEARTBEAT_MS : HEARTBEAT_MS,
      renew: async () => this.#notice(await jobs.renew(claim)) !== 'lost',
    };
    return withHeartbeat(heartbeat, () => work(tools));
  }

  #ending(end: ItemEnd): ItemEnd {
    this.outcome = end.error === undefined ? 'done' : 'failed';
    return end;
  }

  /**
   * Aborts the work after a loss of the claim. A cancellation aborts only work that may take hours, not a single image.
   */
  #notice(state: ClaimState): ClaimState {
    const ends =
      state === 'lost' || (state === 'cancelled' && COUNTED_BY_WORK.has(this.#item.job.type));
    if (!ends) return state;
    this.state = state;
    this.#end.abort();
    return state;
  }
}

function workOf<T extends JobType>(works: JobWorks, item: ClaimedItem<T>) {
  return (tools: JobTools) => works[item.job.type]!(item, tools);
}

/** The crash that the item possibly caused. */
function crashOf(error: DomainError): Crash | null {
  const { crash = null } = error as { readonly crash?: Crash };
  return crash;
}

/** How long the job pauses, in ms. */
function pauseAfter(error: DomainError): number {
  const known = 'retryAfterSeconds' in error ? Number(error.retryAfterSeconds) : NaN;
  return known > 0 ? known * 1000 : OUTAGE_PAUSE_MS;
}
