import type { Stores } from '../database/database.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { FaceState } from './face-action.ts';

/** A detection with all that an action on it depends on. */
export interface StoredFace extends FaceState {
  readonly source: SourceImage;
}

/**
 * Reads detections for actions, by id; unknown ids are absent. One round trip.
 *
 * @param modelId the active face model; null: references are not made
 */
export async function readFaces(
  stores: Stores,
  ids: readonly number[],
  modelId: number | null,
): Promise<ReadonlyMap<number, StoredFace>> {
  const [detections, sources, references, rejections, embedded] = await Promise.all([
    stores.detections.byIds(ids),
    stores.sources.ofDetections(ids),
    stores.references.ofDetections(ids),
    stores.detections.rejections(ids),
    modelId === null ? [] : stores.gallery.embedded(modelId, ids),
  ]);
  const sourcesById = new Map(sources.map((source) => [source.id, source]));
  const ofFace = Map.groupBy(references, ({ detectionId }) => detectionId);
  const rejected = Map.groupBy(rejections, ({ detectionId }) => detectionId);
  const isEmbedded = new Set(embedded);
  const faces = new Map<number, StoredFace>();
  for (const detection of detections) {
    const { id, sourceImageId } = detection;
    const source = sourcesById.get(sourceImageId);
    // Without a lock, the image may be discarded with its last detection between two statements.
    if (source === undefined) continue;
    faces.set(id, {
      detection,
      source,
      references: ofFace.get(id) ?? [],
      rejections: rejected.get(id) ?? [],
      modelId,
      isEmbedded: isEmbedded.has(id),
    });
  }
  return faces;
}
