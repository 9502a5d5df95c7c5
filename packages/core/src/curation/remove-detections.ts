import type { Transaction } from '../database/database.ts';
import type { Detection } from '../detections/detection.ts';
import { detectionsDeleted } from '../events/detection-events.ts';
import { coverCleared, embeddingRemoved } from '../events/identity-events.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { EntityLock } from '../store/entity-lock.ts';

export interface RemovedDetections {
  /** The source images that were deleted because they have no detection left. */
  readonly discarded: readonly SourceImage[];
  /** The media keys of the files to delete after the commit. Those that an operation keeps are not among them. */
  readonly files: readonly string[];
}

/**
 * Removes detections with their crops, references and vectors, and the source images that have no detection left. Takes
 * all locks that this needs, and emits the events.
 *
 * @param deleting the id of an identity that is being deleted; changes of that identity emit no events
 */
export async function removeDetections(
  tx: Transaction,
  detections: readonly Detection[],
  deleting: number | null = null,
): Promise<RemovedDetections> {
  if (detections.length === 0) return { discarded: [], files: [] };
  const ids = detections.map(({ id }) => id);
  const sources = await tx.sources.byIds(unique(detections.map((d) => d.sourceImageId)));
  // The images are locked first, because these locks serialize all writers of the images' detections.
  tx.require(...sources.map(({ digest }): EntityLock => ({ entity: 'source', digest })));
  const references = await tx.references.ofDetections(ids);
  const identityIds = unique([
    ...detections.flatMap(({ identityId }) => identityId ?? []),
    ...references.map(({ identityId }) => identityId),
  ]);
  tx.require(
    ...identityIds.map((id): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
    ...ids.map((id): EntityLock => ({ entity: 'detection', id })),
  );

  const uncovered = await uncoveredBy(tx, new Set(ids), identityIds);
  await tx.references.revoke(references);
  for (const id of uncovered) await tx.identities.setCover(id, null);
  const renditions = [...(await tx.detections.delete(detections))];
  const empty = new Set(await tx.sources.withoutDetections(sources.map(({ id }) => id)));
  const discarded = sources.filter(({ id }) => empty.has(id));
  renditions.push(...(await tx.sources.delete(discarded)));

  const externalRefs = new Map(sources.map(({ id, externalRef }) => [id, externalRef]));
  await tx.emit(
    ...detectionsDeleted(detections, (id) => externalRefs.get(id) ?? null),
    ...references.filter(({ identityId }) => identityId !== deleting).map(embeddingRemoved),
    ...uncovered.filter((id) => id !== deleting).map(coverCleared),
  );
  const files = [...detections.map(({ cropKey }) => cropKey), ...discarded.flatMap(filesOfSource)];
  return { discarded, files: [...(await tx.operations.discardable(files)), ...renditions] };
}

/** Returns the keys of a source image's files, without the crops of its detections. */
export function filesOfSource({ mediaKey, originalKey }: SourceImage): string[] {
  return originalKey === null ? [mediaKey] : [mediaKey, originalKey];
}

async function uncoveredBy(
  tx: Transaction,
  going: ReadonlySet<number>,
  identityIds: readonly number[],
): Promise<readonly number[]> {
  const identities = await tx.identities.byIds(identityIds);
  return identities
    .filter(({ coverDetectionId }) => coverDetectionId !== null && going.has(coverDetectionId))
    .map(({ id }) => id);
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
