import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../domain-error.ts';
import { withHeartbeat } from '../leases/with-heartbeat.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { COUNTED_BY_WORK, type ItemFailure, type JobType } from './job.ts';
import { isOutage } from './is-outage.ts';
import { ClaimLost } from './job-errors.ts';
import type { ClaimedItem, ItemClaim, ItemEnd } from './job-item.ts';
import type { ClaimState, JobQueue } from './job-queue.ts';
import type { JobTools, JobWorks } from './job-work.ts';

export interface RunItemDeps {
  readonly jobs: Pick<JobQueue, 'claim' | 'renew' | 'report' | 'release'>;
  readonly works: JobWorks;
  /** Ends an item in a transaction of its own. */
  readonly endItem: (claim: ItemClaim, end: ItemEnd) => Promise<void>;
  readonly media: Pick<MediaStore, 'remove'>;
  /** Called when an item was claimed: there may be more. */
  readonly claimed?: () => void;
  /** Called when this process has ended an item. */
  readonly ended?: (type: JobType, outcome: 'done' | 'failed') => void;
  /** Called when an item was given back, as a service that it needs is unavailable. */
  readonly waits?: (type: JobType, error: DomainError) => void;
}

/** The lease is 25 s: one heartbeat may fail before another process takes the item over. */
const HEARTBEAT_MS = 10_000;
/**
 * The interval for work that a cancel aborts: while its source is silent, it reports nothing, and
 * only a heartbeat learns of the cancel.
 */
const PROMPT_HEARTBEAT_MS = 2_000;
/** The pause of a job whose items need an unavailable dependency, in ms. */
const AWAY_MS = 2_000;
/** An item fails after this many processes or worker threads have died while they worked on it. */
const MAX_DEATHS = 2;

const DEADLY: ItemFailure = {
  code: 'internal_error',
  detail: 'The service stopped twice while it worked on this.',
};
const DEFECT: ItemFailure = {
  code: 'internal_error',
  detail: 'A defect of the service; its log says more.',
};
const CANCELLED: ItemFailure = { code: 'cancelled', detail: 'The job was cancelled.' };

/**
 * Claims an item and works on it to its end; false if there was none to claim. On abort, and if a
 * service that it needs is unavailable, the item is given back; in the second case its job pauses.
 *
 * @throws defects of the work; StoreUnavailable; the signal's reason on abort
 */
export async function runNextItem(
  deps: RunItemDeps,
  types: readonly JobType[],
  signal: AbortSignal,
): Promise<boolean> {
  const item = await deps.jobs.claim(types);
  if (item === null) return false;
  deps.claimed?.();
  const hold = new Hold(deps, item, signal);
  try {
    await endOf(deps, item, { hold, signal });
  } catch (error) {
    if (error instanceof ClaimLost || hold.state === 'lost') return true;
    if (signal.aborted) {
      // If the database is unavailable, the lease expires instead.
      await deps.jobs.release(item.claim, { pauseMs: 0 }).catch(() => undefined);
      signal.throwIfAborted();
    }
    if (!isOutage(error)) throw error;
    deps.waits?.(item.job.type, error);
    await giveBack(deps, item, { error, signal });
  }
  return true;
}

/**
 * Ends the item by its work, or as failed.
 *
 * @throws the error of an unavailable dependency, ClaimLost, the signal's reason: the item has not
 *   ended then; defects of the work
 */
async function endOf(
  deps: RunItemDeps,
  item: ClaimedItem,
  { hold, signal }: { readonly hold: Hold; readonly signal: AbortSignal },
): Promise<void> {
  if (item.deaths >= MAX_DEATHS) return fail(deps, item, DEADLY);
  try {
    await hold.during((tools) => workOf(deps.works, item)(tools));
  } catch (error) {
    if (error instanceof ClaimLost || hold.state === 'lost' || signal.aborted) throw error;
    if (hold.state === 'cancelled') return fail(deps, item, CANCELLED);
    if (isOutage(error)) throw error;
    if (error instanceof DomainError) {
      return fail(deps, item, { code: error.code, detail: error.message });
    }
    await fail(deps, item, DEFECT);
    throw error;
  }
  await hasEnded(deps, item, hold.outcome);
}

async function fail(deps: RunItemDeps, item: ClaimedItem, error: ItemFailure): Promise<void> {
  await deps.endItem(item.claim, { error });
  await hasEnded(deps, item, 'failed');
}

async function hasEnded(
  { ended, media }: RunItemDeps,
  { job, uploadKey }: ClaimedItem,
  outcome: 'done' | 'failed',
): Promise<void> {
  ended?.(job.type, outcome);
  if (uploadKey !== null) await discardFiles(media, [uploadKey]);
}

/**
 * Gives an item back, as soon as the database answers. If its lease expired instead, its process would
 * count as dead.
 *
 * @throws the signal's reason on abort
 */
async function giveBack(
  { jobs }: RunItemDeps,
  { claim }: ClaimedItem,
  { error, signal }: { readonly error: DomainError; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    try {
      await jobs.release(claim, { pauseMs: pauseAfter(error), died: hasDied(error) });
      return;
    } catch (failure) {
      if (!(failure instanceof StoreUnavailable)) throw failure;
      await setTimeout(AWAY_MS / 2, undefined, { signal });
    }
  }
}

/** A claim that is renewed while the work goes on. */
class Hold {
  readonly #deps: RunItemDeps;
  readonly #item: ClaimedItem;
  readonly #stop: AbortSignal;
  readonly #end = new AbortController();
  /** The reason for which the work was aborted; `held` if it was not. */
  state: ClaimState = 'held';
  /** How the work ended the item. */
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

  /** After a cancel, the work on an image goes on to its end; work that may take hours is aborted. */
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

/** Whether the item may have killed its worker thread. */
function hasDied(error: DomainError): boolean {
  return 'hasDied' in error && error.hasDied === true;
}

/** How long the job pauses, in ms. */
function pauseAfter(error: DomainError): number {
  const known = 'retryAfterSeconds' in error ? Number(error.retryAfterSeconds) : NaN;
  return known > 0 ? known * 1000 : AWAY_MS;
}
