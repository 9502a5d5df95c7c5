import type { Database, Settle } from '../database/database.ts';
import { settleAlone } from '../database/settle-alone.ts';
import type { QueueSelection } from '../detections/queue-selection.ts';
import { DomainError } from '../domain-error.ts';
import { readWithSuggestions } from '../matching/read-with-suggestions.ts';
import type { ModelStore } from '../models/model-store.ts';
import type { Scope } from '../store/scope.ts';
import { actOnEach, type SettleGroup } from './act-on-each.ts';
import { LeftOut } from './condition.ts';
import {
  requireReviewTarget,
  type ReviewAction,
  type ReviewedFaces,
  reviewedOf,
  tasksOfReview,
} from './review-faces.ts';

/** The most faces about which one request decides while its client waits. */
export const MAX_FACES_AT_ONCE = 1000;
/** The faces that are selected at once. Decisions about them are up to 20 per transaction. */
const CHUNK = 1000;

export interface ReviewWhereDeps {
  readonly database: Database;
  readonly models: Pick<ModelStore, 'active' | 'roles'>;
}

/** The faces of the review queue that a decision is for. Absent members do not restrict it. */
export type FaceFilter = Omit<QueueSelection, 'rule'>;

interface Filtered {
  readonly scope: Scope;
  readonly where: FaceFilter;
}

export interface ReviewWhereRequest extends Filtered {
  readonly review: ReviewAction;
}

/** More faces than a client can wait for. */
export class TooManyFaces extends DomainError {
  readonly code = 'invalid_request';

  constructor(count: number) {
    super(
      `The request is about ${count} faces, and one request decides about at most ${MAX_FACES_AT_ONCE}: with async=true a job decides about more.`,
      { count },
    );
  }
}

/** Counts the faces that a filter selects now. @throws StoreUnavailable */
export async function countWhere(
  deps: ReviewWhereDeps,
  { scope, where }: Filtered,
  signal: AbortSignal,
): Promise<number> {
  return readWithSuggestions(deps, { scope, signal }, ({ queue }, rule) =>
    queue.count({ ...where, rule }),
  );
}

/**
 * Carries out one action on the faces that a filter selects.
 *
 * @throws TooManyFaces; the errors of {@link reviewChunk}
 */
export async function reviewWhere(
  deps: ReviewWhereDeps,
  request: ReviewWhereRequest,
  options: { readonly signal: AbortSignal; readonly settle?: Settle<ReviewedFaces> | undefined },
): Promise<ReviewedFaces> {
  const { signal } = options;
  const { scope, review } = request;
  await requireReviewTarget(deps, { scope, review }, signal);
  const count = await countWhere(deps, request, signal);
  if (count > MAX_FACES_AT_ONCE) throw new TooManyFaces(count);
  let processed = 0;
  const errors: ReviewedFaces['errors'][number][] = [];
  for (let after: number | null = 0; after !== null;) {
    const chunk: ReviewedChunk = await reviewChunk(deps, { ...request, after }, { signal });
    processed += chunk.processed;
    errors.push(...chunk.errors);
    after = chunk.next;
  }
  const result = { processed, errors };
  await settleAlone(deps.database, { scope, result }, options);
  return result;
}

export interface ReviewedChunk extends ReviewedFaces {
  /** The id behind which the next faces are; null if there are none. */
  readonly next: number | null;
}

/**
 * Carries out one action on the first faces behind an id that a filter selects. The transaction that decides about a face
 * checks that the filter still selects it; otherwise the face is left out. A repeated call leaves out what was decided,
 * so that work can be continued from any id.
 *
 * @param request `after`: 0 for the first faces
 * @throws StoreUnavailable, InferenceUnavailable, which do not undo earlier transactions
 */
export async function reviewChunk(
  deps: ReviewWhereDeps,
  { scope, where, review, after }: ReviewWhereRequest & { readonly after: number },
  { signal, settleGroup }: { readonly signal: AbortSignal; readonly settleGroup?: SettleGroup },
): Promise<ReviewedChunk> {
  const { ids, selection } = await readWithSuggestions(
    deps,
    { scope, signal },
    async ({ queue }, rule) => {
      const chosen = { ...where, rule };
      return { selection: chosen, ids: await queue.ids(chosen, { after, limit: CHUNK }) };
    },
  );
  const tasks = tasksOfReview(ids, review);
  const { action } = review;
  const outcomes = await actOnEach(
    deps,
    { scope, action, tasks, condition: ({ queue }, some) => queue.among(selection, some) },
    { signal, settleGroup },
  );
  const { processed, errors } = reviewedOf(ids, outcomes);
  return {
    processed,
    errors: errors.filter(({ error }) => !(error instanceof LeftOut)),
    next: ids.length < CHUNK ? null : ids.at(-1)!,
  };
}
