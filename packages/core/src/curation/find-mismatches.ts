import type { Database } from '../database/database.ts';
import { loadSettings } from '../database/load-settings.ts';
import type { AssignedIdentity, FaceLists, ListedFace } from '../detections/face-lists.ts';
import { similarityToOthers } from '../matching/similarity-to-others.ts';
import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import type { Page } from '../store/page.ts';
import type { Scope } from '../store/scope.ts';

/** Rows per transaction, with a vector of some kilobytes each. */
const BATCH = 1000;

/** A confirmed face that is unlike the other references of its identity. */
export interface Mismatch extends ListedFace {
  readonly identity: AssignedIdentity;
  /** The similarity to the mean of the other references; calibrated, -1..1. */
  readonly similarity: number;
}

export type MismatchPosition = Pick<Mismatch, 'similarity' | 'id'>;

export interface MismatchQuery {
  readonly scope: Scope;
  /** -1..1; absent: the environment's match threshold. */
  readonly threshold?: number | undefined;
  readonly after: MismatchPosition | null;
  readonly limit: number;
}

/** A page, the worst first, ties by id. */
export interface Mismatches extends Page<Mismatch> {
  /** The number of all faces below the threshold. */
  readonly count: number;
  readonly threshold: number;
  /** When the comparison began. */
  readonly asOf: Date;
}

/**
 * Compares all confirmed faces with the other references of their identities, as the rows have them
 * now. The rows are read in many short transactions, so that no other transaction waits for this. A row
 * that changes during the comparison is seen before or after its change.
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function findMismatches(
  deps: { readonly database: Database; readonly models: Pick<ModelStore, 'active'> },
  { scope, threshold: given, after, limit }: MismatchQuery,
  signal?: AbortSignal,
): Promise<Mismatches> {
  const asOf = new Date();
  const [settings, model] = await Promise.all([
    loadSettings(deps.database, scope, signal),
    activeFaceModel(deps.models, signal),
  ]);
  const threshold = given ?? settings.matchThreshold;
  let count = 0;
  let worst: readonly Mismatch[] = [];
  if (model !== null) {
    for await (const compared of compareAll(deps.database, { scope, model }, signal)) {
      const found = compared.filter(({ similarity }) => similarity < threshold);
      count += found.length;
      const following = found.filter(
        (face) => after === null || compareMismatches(after, face) < 0,
      );
      worst = [...worst, ...following].sort(compareMismatches).slice(0, limit + 1);
    }
  }
  return { items: worst.slice(0, limit), hasMore: worst.length > limit, count, threshold, asOf };
}

/** Yields the faces of one batch after the other, in no order that matters. */
async function* compareAll(
  database: Database,
  { scope, model }: { readonly scope: Scope; readonly model: RegisteredModel },
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly Mismatch[]> {
  for (let after: number | null = 0; after !== null;) {
    const page = { after, limit: BATCH };
    const batch: ComparablePage = await database.withScope(
      scope,
      ({ faces }) => faces.comparable(model.id, page),
      signal,
    );
    yield batch.faces.flatMap(({ vector, isReference, references, ...face }) => {
      const compared = { vector, isReference, references };
      const similarity = similarityToOthers(compared, model.similarityCalibration);
      return similarity === null ? [] : [{ ...face, similarity }];
    });
    after = batch.next;
  }
}

type ComparablePage = Awaited<ReturnType<FaceLists['comparable']>>;

function compareMismatches(a: MismatchPosition, b: MismatchPosition): number {
  return a.similarity - b.similarity || a.id - b.id;
}
