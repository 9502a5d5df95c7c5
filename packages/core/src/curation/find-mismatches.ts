import type { Database } from '../database/database.ts';
import { loadSettings } from '../database/load-settings.ts';
import type { AssignedIdentity, FaceLists, ListedFace } from '../detections/face-lists.ts';
import { similarityToOthers } from '../matching/similarity-to-others.ts';
import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import type { Page } from '../store/page.ts';
import type { Scope } from '../store/scope.ts';

/** The number of faces that one transaction reads, each with a vector of a few kB. */
const BATCH = 1000;

/** A confirmed face that is unlike the other references of its identity. */
export interface Mismatch extends ListedFace {
  readonly identity: AssignedIdentity;
  /** The calibrated similarity to the mean of the identity's other references, -1 to 1. */
  readonly similarity: number;
}

export type MismatchPosition = Pick<Mismatch, 'similarity' | 'id'>;

export interface MismatchQuery {
  readonly scope: Scope;
  /** The threshold, -1 to 1; the environment's match threshold if absent. */
  readonly threshold?: number | undefined;
  readonly after: MismatchPosition | null;
  readonly limit: number;
}

/** A page in ascending order of similarity and id. */
export interface Mismatches extends Page<Mismatch> {
  /** The number of all faces below the threshold. */
  readonly count: number;
  readonly threshold: number;
  readonly asOf: Date;
}

/**
 * Compares all confirmed faces with the other references of their identities. The faces are read in many short
 * transactions, so that no other transaction waits. A face that changes during the comparison is compared before or after
 * its change.
 *
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
