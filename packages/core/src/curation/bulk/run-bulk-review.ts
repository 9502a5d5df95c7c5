import type { Database } from '../../database/database.ts';
import type { BulkReviewInput, BulkReviewParams } from '../../jobs/job.ts';
import type { ModelStore } from '../../models/model-store.ts';
import type { Scope } from '../../store/scope.ts';
import type { SettleGroup } from '../act-on-each.ts';
import { dismissIn } from '../dismiss-faces.ts';
import { areStrangers, labelStrangers } from '../label-strangers.ts';
import { reviewChosen } from '../review-where.ts';
import { type BulkTally, RunningTally, stepOf, withStep } from './bulk-tally.ts';
import type { BulkTools } from './run-bulk-detections.ts';
import { fromStored } from './start-bulk-review.ts';

/** The number of faces whose outcomes are in memory. */
const PART = 1000;
/** The number of faces of one transaction that dismisses. */
const CHUNK = 100;

export interface BulkReviewDeps {
  readonly database: Database;
  readonly models: Pick<ModelStore, 'active' | 'roles'>;
}

export interface BulkReviewRun {
  readonly scope: Scope;
  readonly params: BulkReviewParams;
  readonly input: BulkReviewInput;
  /** The counters and failures before this run. */
  readonly tally: BulkTally;
  /** The id of the last face that was dealt with; null at the beginning. */
  readonly workedTo: number | null;
}

/**
 * Carries out one decision about many faces, in small transactions. A face that was decided, or is no stranger any more, when
 * its turn comes is left out, so that a run which repeats an earlier one counts nothing twice.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the errors of `advance`; the signal's reason on abort
 */
export function runBulkReview(
  deps: BulkReviewDeps,
  run: BulkReviewRun,
  tools: BulkTools,
): Promise<BulkTally> {
  const { params } = run;
  if (params.action === 'label_group')
    return labelGroup(deps, { ...run, target: params.target }, tools);
  if (params.action === 'dismiss_group') return dismissGroup(deps, run, tools);
  return reviewSelected(deps, { ...run, params }, tools);
}

type Selected = Extract<BulkReviewParams, { readonly where: object }>;

async function reviewSelected(
  deps: BulkReviewDeps,
  { scope, params, input, tally, workedTo }: BulkReviewRun & { readonly params: Selected },
  tools: BulkTools,
): Promise<BulkTally> {
  const running = new RunningTally(tally);
  const where = fromStored(params.where);
  const options = { signal: tools.signal, settleGroup: settling(running, tools) };
  const left = input.ids.filter((id) => id > (workedTo ?? 0));
  for (let start = 0; start < left.length; start += PART) {
    tools.signal.throwIfAborted();
    const ids = left.slice(start, start + PART);
    await reviewChosen(deps, { scope, where, review: params, ids }, options);
  }
  return running.latest;
}

type Target = Extract<BulkReviewParams, { readonly action: 'label_group' }>['target'];

async function labelGroup(
  deps: BulkReviewDeps,
  { scope, input, tally, target }: BulkReviewRun & { readonly target: Target },
  tools: BulkTools,
): Promise<BulkTally> {
  const running = new RunningTally(tally);
  const settleGroup = settling(running, tools);
  const settleRejected: SettleGroup = (tx, { group }) =>
    tools.advance(tx, { tally: running.latest, workedTo: group.at(-1)!.id });
  for (let start = 0; start < input.ids.length; start += PART) {
    tools.signal.throwIfAborted();
    const ids = input.ids.slice(start, start + PART);
    const isLast = start + PART >= input.ids.length;
    await labelStrangers(
      deps,
      {
        scope,
        target: await targetNow(deps, { scope, target }, tools.signal),
        ids,
        rejected: isLast ? input.rejected : [],
      },
      { signal: tools.signal, settleGroup, settleRejected },
    );
  }
  return running.latest;
}

/** An earlier run of the job may have created the identity, and have labeled all faces, but not rejected the others. */
async function targetNow(
  { database }: BulkReviewDeps,
  { scope, target }: { readonly scope: Scope; readonly target: Target },
  signal: AbortSignal,
): Promise<Target> {
  if (!('label' in target)) return target;
  const [known] = await database.withScope(
    scope,
    ({ identities }) => identities.byLabels('face', [target.label]),
    signal,
  );
  return known === undefined ? target : { identityId: known.id };
}

async function dismissGroup(
  { database }: BulkReviewDeps,
  { scope, input, tally, workedTo }: BulkReviewRun,
  { signal, advance }: BulkTools,
): Promise<BulkTally> {
  const left = input.ids.filter((id) => id > (workedTo ?? 0));
  let now = tally;
  for (let start = 0; start < left.length; start += CHUNK) {
    signal.throwIfAborted();
    const ids = left.slice(start, start + CHUNK);
    now = await database.withEntities(
      { ...scope, locks: [] },
      async (tx) => {
        const request = { ids, action: 'dismiss', condition: areStrangers } as const;
        const processed = await dismissIn(tx, request);
        const leftOut = ids.length - processed;
        const after = withStep(now, { processed, errors: [], leftOut });
        await advance(tx, { tally: after, workedTo: ids.at(-1)! });
        return after;
      },
      signal,
    );
  }
  return now;
}

/** Stores the counters with each group of faces. */
function settling(running: RunningTally, { advance }: BulkTools): SettleGroup {
  return (tx, { group, outcomes }) => {
    const tally = running.with(group, stepOf(group, outcomes));
    return advance(tx, { tally, workedTo: group.at(-1)!.id });
  };
}
