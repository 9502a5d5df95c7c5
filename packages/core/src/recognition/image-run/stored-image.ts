import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { Stores } from '../../database/database.ts';
import type { Detection } from '../../detections/detection.ts';

/** What the database has about an image. */
export interface StoredImage {
  /** Null: it was not seen before, or was discarded. */
  readonly source: SourceImage | null;
  readonly detections: readonly Detection[];
  /** Of its faces, of all models. */
  readonly references: readonly ReferenceLink[];
  /** Identities that its faces were rejected from, by detection. */
  readonly rejections: ReadonlyMap<number, ReadonlySet<number>>;
}

export async function readStoredImage(stores: Stores, digest: string): Promise<StoredImage> {
  const source = await stores.sources.byDigest(digest);
  const detections = source === null ? [] : await stores.detections.ofSource(source.id);
  const faceIds = detections.filter(({ type }) => type === 'face').map(({ id }) => id);
  if (faceIds.length === 0) {
    return { source, detections, references: [], rejections: new Map() };
  }
  const [references, rejected] = await Promise.all([
    stores.references.ofDetections(faceIds),
    stores.gallery.rejections(faceIds),
  ]);
  const byDetection = Map.groupBy(rejected, ({ detectionId }) => detectionId);
  const rejections = new Map(
    [...byDetection].map(([id, pairs]) => [id, new Set(pairs.map((pair) => pair.identityId))]),
  );
  return { source, detections, references, rejections };
}
