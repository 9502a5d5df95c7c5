import type { DriftKind } from './index-drift.ts';
import type { IndexSource } from './index-source.ts';
import type { IndexedEntry, VectorEntry, VectorIndex, VectorSpace } from './vector-index.ts';

const PAGE = 1000;

/** The differences in one part of a space. */
interface Look {
  readonly differences: ReadonlyMap<number, DriftKind>;
  /** The start of the next part; null after the last. */
  readonly next: number | null;
}

interface ComparedDeps {
  readonly source: Pick<IndexSource, 'list'>;
  readonly index: Pick<VectorIndex, 'list'>;
}

/**
 * Compares a space of the index with the database by ids, identities and fingerprints; answers the
 * differences by id. Changes that the index does not have yet differ too: it compares twice,
 * and answers only what differs both times.
 *
 * @param settle runs between the comparisons: applies pending changes to the index
 */
export async function findDrift(
  deps: ComparedDeps,
  comparison: { readonly space: VectorSpace; readonly settle: () => Promise<void> },
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, DriftKind>> {
  const { space, settle } = comparison;
  const suspects: { readonly after: number; readonly differences: Look['differences'] }[] = [];
  for (let after: number | null = 0; after !== null;) {
    const look: Look = await lookAt(deps, { space, after }, signal);
    if (look.differences.size > 0) suspects.push({ after, differences: look.differences });
    after = look.next;
  }
  if (suspects.length === 0) return new Map();

  await settle();
  const drift = new Map<number, DriftKind>();
  for (const { after, differences } of suspects) {
    const again = await lookAt(deps, { space, after }, signal);
    for (const [id, kind] of again.differences) {
      if (differences.get(id) === kind) drift.set(id, kind);
    }
  }
  return drift;
}

async function lookAt(
  { source, index }: ComparedDeps,
  part: { readonly space: VectorSpace; readonly after: number },
  signal?: AbortSignal,
): Promise<Look> {
  const page = { after: part.after, limit: PAGE };
  const [rows, points] = await Promise.all([
    source.list(part.space, page, signal),
    index.list(part.space, page, signal),
  ]);
  // Both are known up to where the shorter of two full pages ends.
  const end = Math.min(endOf(rows), endOf(points));
  return {
    differences: differencesOf(rows, points, end),
    next: end === Infinity ? null : end,
  };
}

function endOf(entries: readonly IndexedEntry[]): number {
  return entries.length === PAGE ? entries.at(-1)!.id : Infinity;
}

function differencesOf(
  rows: readonly VectorEntry[],
  points: readonly IndexedEntry[],
  end: number,
): Map<number, DriftKind> {
  const indexed = new Map(points.map((point) => [point.id, point]));
  const differences = new Map<number, DriftKind>();
  for (const row of rows) {
    if (row.id > end) continue;
    const point = indexed.get(row.id);
    if (point === undefined) differences.set(row.id, 'missing');
    else if (!isOf(point, row)) differences.set(row.id, 'stale');
    indexed.delete(row.id);
  }
  for (const id of indexed.keys()) {
    if (id <= end) differences.set(id, 'extra');
  }
  return differences;
}

function isOf(point: IndexedEntry, row: VectorEntry): boolean {
  return point.identityId === row.identityId && point.fingerprint === row.fingerprint;
}
