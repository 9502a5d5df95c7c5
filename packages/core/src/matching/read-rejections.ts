import type { GalleryReader } from '../references/gallery-store.ts';

/** Reads the identities from which faces were rejected, by face. Faces without a rejection are absent. */
export async function readRejections(
  gallery: Pick<GalleryReader, 'rejections'>,
  faceIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const pairs = await gallery.rejections(faceIds);
  const byFace = Map.groupBy(pairs, ({ detectionId }) => detectionId);
  return new Map(
    [...byFace].map(([id, own]) => [id, new Set(own.map(({ identityId }) => identityId))]),
  );
}
