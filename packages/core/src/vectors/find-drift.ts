import type { DriftKind } from './index-drift.ts';
import type { IndexSource } from './index-source.ts';
import type { IndexedEntry, VectorEntry, VectorIndex, VectorSpace } from './vector-index.ts';

const PAGE = 1000;

interface ComparedPage {
  readonly differences: ReadonlyMap<number, DriftKind>;
  /** The id behind which the next page starts; null after the last page. */
  readonly next: number | null;
}

interface ComparedDeps {
  readonly source: Pick<IndexSource, 'list'>;
  readonly index: Pick<VectorIndex, 'list'>;
}

/**
 * Compares a space of the index with the database by ids, identities and fingerprints. It compares twice and returns
 * only differences that appear both times, because pending changes also cause differences.
 *
 * @param settle runs between the two comparisons, and applies pending changes to the index
 * @returns the differences by id
 */
export async function findDrift(
  deps: ComparedDeps,
  comparison: { readonly space: VectorSpace; readonly settle: () => Promise<void> },
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, DriftKind>> {
  const { space, settle } = comparison;
  const suspects: { readonly after: number; readonly differences: ComparedPage['differences'] }[] =
    [];
  for (let after: number | null = 0; after !== null;) {
    const page: ComparedPage = await comparePage(deps, { space, after }, signal);
    if (page.differences.size > 0) suspects.push({ after, differences: page.differences });
    after = page.next;
  }
  if (suspects.length === 0) return new Map();

  await settle();
  const drift = new Map<number, DriftKind>();
  for (const { after, differences } of suspects) {
    const again = await comparePage(deps, { space, after }, signal);
    for (const [id, kind] of again.differences) {
      if (differences.get(id) === kind) drift.set(id, kind);
    }
  }
  return drift;
}

async function comparePage(
  { source, index }: ComparedDeps,
  part: { readonly space: VectorSpace; readonly after: number },
  signal?: AbortSignal,
): Promise<ComparedPage> {
  const page = { after: part.after, limit: PAGE };
  const [rows, points] = await Promise.all([
    source.list(part.space, page, signal),
    index.list(part.space, page, signal),
  ]);
  // A page of rows and a page of points may end at different ids. They are compared only up to the lower of these two
  // ids.
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
