import { outlastsRejection } from '../detections/outlasts-rejection.ts';
import type { LibraryDetection, LibraryImage } from '../library/library-image.ts';

/** The identities in an archive. */
export interface ArchivedIdentities {
  readonly ids: ReadonlySet<number>;
  /** Whether the archive has all identities, and therefore all images and detections. */
  readonly isWhole: boolean;
}

/**
 * Returns the part of an image that an archive with these identities contains. The part mentions no other identities.
 * Returns null if the archive does not contain the image.
 */
export function archivedPart(
  image: LibraryImage,
  identities: ArchivedIdentities,
): LibraryImage | null {
  const { ids, isWhole } = identities;
  const kept = image.detections.filter((detection) => isWhole || mentions(detection, ids));
  if (kept.length === 0 && !isWhole) return null;
  return { ...image, detections: kept.map((each) => withinArchive(withoutConflict(each), ids)) };
}

function mentions({ identityId, rejections }: LibraryDetection, ids: ReadonlySet<number>): boolean {
  return (
    (identityId !== null && ids.has(identityId)) ||
    rejections.some((rejection) => ids.has(rejection.identity))
  );
}

/**
 * Settles a conflict like the merge that has caused it. Before the merge has come to a detection, the detection may have an
 * identity from which it was rejected. An import would refuse the archive.
 */
function withoutConflict(detection: LibraryDetection): LibraryDetection {
  const { identityId } = detection;
  const rejections = detection.rejections.filter(({ identity }) => identity !== identityId);
  if (rejections.length === detection.rejections.length) return detection;
  return outlastsRejection(detection) ? { ...detection, rejections } : unassigned(detection);
}

/** Removes the identity and the decision of a detection if the archive does not contain the identity. */
function withinArchive(detection: LibraryDetection, ids: ReadonlySet<number>): LibraryDetection {
  const { identityId } = detection;
  const rejections = detection.rejections.filter((rejection) => ids.has(rejection.identity));
  const isKept = identityId === null || ids.has(identityId);
  return { ...(isKept ? detection : unassigned(detection)), rejections };
}

function unassigned(detection: LibraryDetection): LibraryDetection {
  return {
    ...detection,
    identityId: null,
    isCover: false,
    similarity: null,
    reviewStatus: 'pending',
    decidedBy: 'automatic',
    mismatchReviewed: false,
    vectors: detection.vectors.map((vector) => ({ ...vector, enrolledAt: null })),
  };
}
