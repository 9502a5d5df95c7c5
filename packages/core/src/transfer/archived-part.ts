import type { LibraryDetection, LibraryImage } from '../library/library-image.ts';

/** What an archive has of the identities. */
export interface ArchivedIdentities {
  readonly ids: ReadonlySet<number>;
  /** Whether it has all there were, and with them everything. */
  readonly isWhole: boolean;
}

/**
 * What an archive has of an image: it refers to identities of the archive alone. Null if that is
 * nothing.
 */
export function archivedPart(
  image: LibraryImage,
  identities: ArchivedIdentities,
): LibraryImage | null {
  const { ids, isWhole } = identities;
  const kept = image.detections.filter((detection) => isWhole || mentions(detection, ids));
  if (kept.length === 0 && !isWhole) return null;
  return { ...image, detections: kept.map((detection) => withinArchive(detection, ids)) };
}

function mentions({ identityId, rejections }: LibraryDetection, ids: ReadonlySet<number>): boolean {
  return (
    (identityId !== null && ids.has(identityId)) ||
    rejections.some((rejection) => ids.has(rejection.identity))
  );
}

/** A detection of an identity that the archive does not have is one that nobody has decided. */
function withinArchive(detection: LibraryDetection, ids: ReadonlySet<number>): LibraryDetection {
  const { identityId } = detection;
  const rejections = detection.rejections.filter((rejection) => ids.has(rejection.identity));
  if (identityId === null || ids.has(identityId)) return { ...detection, rejections };
  return {
    ...detection,
    rejections,
    identityId: null,
    isCover: false,
    similarity: null,
    reviewStatus: 'pending',
    decidedBy: 'automatic',
    mismatchReviewed: false,
    vectors: detection.vectors.map((vector) => ({ ...vector, enrolledAt: null })),
  };
}
