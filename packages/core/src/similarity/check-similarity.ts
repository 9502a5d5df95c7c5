import { setTimeout as sleep } from 'node:timers/promises';
import type { SpaceState } from '../groups/followed-faces.ts';
import { type CompareDeps, compareSpace } from './compare-space.ts';
import { readWork } from './follow-space.ts';
import type { DueSpace, SimilarityQueue } from './similarity-queue.ts';

export interface SimilarityCheckDeps extends CompareDeps {
  readonly queue: Pick<SimilarityQueue, 'spaces'>;
}

export interface SimilarityCheckOptions {
  /** Whether the index finds every reference, so that a missing suggestion is a finding. */
  readonly isExact: boolean;
  /** The longest wait for changes to be followed, in ms; 5 s if absent. */
  readonly settleMs?: number;
  readonly signal?: AbortSignal;
}

export interface SimilarityCheck {
  /** One sentence per difference. */
  readonly findings: readonly string[];
  /** The spaces that were not compared, because they were changing or are not followed yet. */
  readonly skipped: readonly DueSpace[];
}

const SETTLE_MS = 5000;
const PAUSE_MS = 100;

/**
 * Computes suggestions, neighbors, groups and mismatches from the rows, in each environment and for each model, and
 * compares them with those that are stored. The service may run at the same time: an environment counts as compared if
 * nothing in it changed during that time. Needs the memory of the vectors of one environment.
 *
 * @throws StoreUnavailable, VectorsUnavailable; the signal's reason on abort
 */
export async function checkSimilarity(
  deps: SimilarityCheckDeps,
  options: SimilarityCheckOptions,
): Promise<SimilarityCheck> {
  const findings: string[] = [];
  const skipped: DueSpace[] = [];
  for (const space of await deps.queue.spaces(options.signal)) {
    const own = await checkSpace(deps, space, options);
    if (own === null) skipped.push(space);
    else if (own.length > 0 && (await isListed(deps, space, options.signal))) {
      for (const finding of own) findings.push(finding);
    }
  }
  return { findings, skipped };
}

/** Whether the space still counts. Its environment may be deleted in the meantime, which is followed by nothing. */
async function isListed(
  { queue }: SimilarityCheckDeps,
  { environmentId, modelId }: DueSpace,
  signal?: AbortSignal,
): Promise<boolean> {
  const spaces = await queue.spaces(signal);
  return spaces.some((s) => s.environmentId === environmentId && s.modelId === modelId);
}

/** Returns null if the space changed. */
async function checkSpace(
  deps: SimilarityCheckDeps,
  space: DueSpace,
  { isExact, settleMs = SETTLE_MS, signal }: SimilarityCheckOptions,
): Promise<readonly string[] | null> {
  const before = await whenAtRest(deps, space, { settleMs, signal });
  if (before === null) return null;
  try {
    const findings = await compareSpace(deps, { space, isExact, ...before }, signal);
    const after = await whenAtRest(deps, space, { settleMs: 0, signal });
    return after?.state.turn === before.state.turn ? findings : null;
  } finally {
    await Promise.all([deps.openFaces.forget(space), deps.gallery.forget(space)]);
  }
}

type Rest = Pick<Awaited<ReturnType<typeof readWork>>, 'state' | 'strategy'>;

/** Waits until no change of the space is pending. Returns null if that takes too long. */
async function whenAtRest(
  { database }: SimilarityCheckDeps,
  space: DueSpace,
  { settleMs, signal }: { readonly settleMs: number; readonly signal: AbortSignal | undefined },
): Promise<Rest | null> {
  for (let waited = 0; ; waited += PAUSE_MS) {
    const { state, strategy, pending } = await readWork({ database, restMs: 0 }, space);
    const changes = Object.values(pending).reduce((sum, { length }) => sum + length, 0);
    if (changes === 0 && isAtRest(state)) return { state, strategy };
    if (waited >= settleMs) return null;
    await sleep(PAUSE_MS, undefined, { signal });
  }
}

function isAtRest({ turn, scannedTo, isSettled }: SpaceState): boolean {
  return turn !== null && scannedTo === null && isSettled;
}
