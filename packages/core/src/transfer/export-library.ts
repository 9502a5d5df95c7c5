import type { Database, Stores } from '../database/database.ts';
import type { Identity } from '../identities/identity.ts';
import type { LibraryModel } from '../library/library-image.ts';
import type { Scope } from '../store/scope.ts';
import {
  ARCHIVE_LIMITS,
  type ArchiveLimits,
  ArchiveRoom,
  identitiesWithin,
  modelsOf,
} from './archive-limits.ts';
import type { ArchivedIdentities } from './archived-part.ts';
import { exportPage, type PageDeps, type PagePart, type Read } from './export-page.ts';
import { pagePositions } from './page-positions.ts';

export interface ExportDeps extends Pick<PageDeps, 'media' | 'excluded'> {
  readonly database: Pick<Database, 'withScope'>;
  /**
   * Called with the number of identities for which the archive has no room. In the archive, the faces of these
   * identities have no identity.
   */
  readonly identitiesExcluded: (count: number) => void;
  /** The limits of the archive; those of imports if absent. */
  readonly limits?: ArchiveLimits;
}

export interface ExportRequest {
  readonly scope: Scope;
  /** The identities to export, without unknown ids; null for the whole library. */
  readonly identityIds: readonly number[] | null;
}

export type ExportPart =
  | {
      readonly part: 'beginning';
      readonly identities: readonly Identity[];
      /** The number of images to export. */
      readonly images: number;
    }
  | PagePart
  | { readonly part: 'end'; readonly models: readonly LibraryModel[] };

/** The number of identities per read. */
const IDENTITIES = 1000;
const POSITIONS = 5000;

/**
 * Yields the parts of an archive as fast as the caller takes them. The identities are read first, in one transaction, and
 * the images in many short ones. No transaction is open while the caller handles a part. Only a page of records and a
 * few images that are read ahead are in memory.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function* exportLibrary(
  { database, limits = ARCHIVE_LIMITS, identitiesExcluded, ...deps }: ExportDeps,
  { scope, identityIds }: ExportRequest,
  signal?: AbortSignal,
): AsyncGenerator<ExportPart> {
  const read: Read = (work) => database.withScope(scope, work, signal);
  const { beginning, archivedIds, extent, excluded } = await read((stores) =>
    readBeginning(stores, identityIds, limits),
  );
  if (excluded > 0) identitiesExcluded(excluded);
  // While the caller takes the images, the identities are no longer in memory.
  yield beginning.pop()!;
  const archived: ArchivedIdentities = { ids: archivedIds, isWhole: identityIds === null };
  const page = { ...deps, read, archived, room: new ArchiveRoom(limits) };
  const modelIds = new Set<number>();
  for await (const ids of pagesOf(read, archived, extent.lastImageId)) {
    for await (const part of exportPage(page, ids, signal)) {
      if (part.part === 'page') part.images.flatMap(modelsOf).forEach((id) => modelIds.add(id));
      yield part;
    }
  }
  yield { part: 'end', models: await read(({ library }) => library.models([...modelIds])) };
}

/** Reads all identities in one transaction, because a label may move from one identity to another between transactions. */
async function readBeginning(
  stores: Stores,
  identityIds: readonly number[] | null,
  limits: ArchiveLimits,
) {
  const all =
    identityIds === null ? await allIdentities(stores) : await stores.identities.byIds(identityIds);
  const existing = identityIds === null ? null : all.map(({ id }) => id);
  const extent = await stores.library.extent(existing);
  const identities = identitiesWithin(all, limits);
  const beginning: ExportPart[] = [{ part: 'beginning', identities, images: extent.images }];
  const archivedIds = new Set(identities.map(({ id }) => id));
  return { beginning, archivedIds, extent, excluded: all.length - identities.length };
}

async function allIdentities({ identities }: Stores): Promise<readonly Identity[]> {
  const all: Identity[] = [];
  for (let after: Identity | null = null; ;) {
    const { items, hasMore } = await identities.list({}, { after, limit: IDENTITIES });
    all.push(...items);
    after = items.at(-1) ?? null;
    if (!hasMore) return all;
  }
}

/** Yields the ids of the images in pages. */
async function* pagesOf(
  read: Read,
  { ids, isWhole }: ArchivedIdentities,
  upTo: number,
): AsyncGenerator<readonly number[]> {
  const identityIds = isWhole ? null : [...ids];
  for (let after = 0; ;) {
    const part = { identityIds, after, upTo, limit: POSITIONS };
    const positions = await read(({ library }) => library.positions(part));
    yield* pagePositions(positions);
    if (positions.length < POSITIONS) return;
    after = positions.at(-1)!.id;
  }
}
