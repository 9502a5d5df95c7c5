import type { Database } from '../database/database.ts';
import type { FollowedFace, OpenFaceSource } from '../groups/followed-faces.ts';
import type { NeighborList } from '../groups/neighbor-list.ts';
import type { OpenFaceVectors } from './open-face-vectors.ts';
import type { DueSpace } from './similarity-queue.ts';
import { PAGE, pages } from './pages.ts';
import { isComparable } from '../vectors/is-comparable.ts';
import { bytesOf, type Followed } from './space-memory.ts';

export interface LoadDeps {
  readonly database: Database;
  readonly source: OpenFaceSource;
  readonly openFaces: OpenFaceVectors;
  /** The most memory that one space may take, in bytes. */
  readonly loadingBytes: number;
  /** Called for a face whose vector cannot be compared. */
  readonly setAside: (space: DueSpace, faceId: number) => void;
}

/** A space needs more memory than one may take. Its changes stay pending. */
export class SpaceTooLarge extends Error {
  constructor({ environmentId }: DueSpace, bytes: number) {
    super(
      `Environment ${environmentId} has too many open faces for the memory of this process, of which they may take ${Math.floor(bytes / 1024 ** 2)} MiB. Its suggestions, groups and mismatches are not followed until the process has more memory, or faces are named, dismissed or deleted.`,
    );
    this.name = 'SpaceTooLarge';
  }
}

/**
 * Loads the vectors of open faces and the lists of neighbors of a space, unless they are in memory.
 *
 * @throws SpaceTooLarge, StoreUnavailable, VectorsUnavailable
 */
export async function loadSpace(deps: LoadDeps, { space, memory }: Followed): Promise<void> {
  requireRoom(deps, { space, memory });
  if (memory.isLoaded) return;
  await deps.openFaces.forget(space);
  for await (const page of pages(
    (after) => deps.source.page(space, { after, limit: PAGE }),
    idOf,
  )) {
    await loadFaces(deps, { space, memory }, page);
    requireRoom(deps, { space, memory });
  }
  const { environmentId, modelId } = space;
  const readLists = (after: number) =>
    deps.database.withScope({ environmentId }, ({ followed }) =>
      followed.neighborLists(modelId, { after, limit: PAGE }),
    );
  for await (const page of pages(readLists, ([id]: readonly [number, NeighborList]) => id)) {
    for (const [id, list] of page) memory.lists.restore(id, list, memory.strangers);
  }
  memory.isLoaded = true;
}

function requireRoom({ loadingBytes }: LoadDeps, followed: Followed): void {
  if (bytesOf(followed) > loadingBytes) throw new SpaceTooLarge(followed.space, loadingBytes);
}

async function loadFaces(
  { openFaces, setAside }: LoadDeps,
  { space, memory }: Followed,
  page: readonly FollowedFace[],
): Promise<void> {
  const comparable = page.filter((face) => isComparable(face, space.dimension));
  await openFaces.upsert(space, comparable);
  const arrivedAt = memory.lists.now;
  for (const { id, isStranger, confidence, fingerprint } of comparable) {
    if (isStranger) memory.strangers.set(id, { confidence, fingerprint, arrivedAt });
    else memory.otherFaces.add(id);
  }
  for (const face of page) if (!comparable.includes(face)) setAside(space, face.id);
}

const idOf = ({ id }: FollowedFace): number => id;
