import type { Stores } from '../../database/database.ts';
import type { DetectionType } from '../../detection-type.ts';
import type { Identity } from '../../identities/identity.ts';
import { identityKey } from '../run/identity-key.ts';
import { archivedFacts, type ImageRun } from '../run/image-run.ts';
import type { ArchivedState } from './image-state.ts';
import { faceIdsOf, type ImageRows } from './read-stored-image.ts';

/** Reads what the database has of the identities and the models that an archive mentions; null for no archive. */
export async function readArchivedState(
  stores: Stores,
  run: ImageRun,
  reading: Promise<ImageRows>,
): Promise<ArchivedState | null> {
  if (!run.archived) return null;
  const [faces, objects, embedded] = await Promise.all([
    readMentioned(stores, run, 'face'),
    readMentioned(stores, run, 'object'),
    reading.then((rows) => readEmbedded(stores, run, rows)),
  ]);
  const identities = [...faces, ...objects];
  return { identities: new Map(identities.map((one) => [identityKey(one), one])), embedded };
}

async function readMentioned(
  { identities }: Stores,
  run: ImageRun,
  type: DetectionType,
): Promise<readonly Identity[]> {
  const mentioned = archivedFacts(run).flatMap(({ identity, rejectedFrom }) => [
    ...(identity === null ? [] : [identity]),
    ...rejectedFrom.map((rejection) => rejection.identity),
  ]);
  const labels = mentioned.filter((one) => one.type === type).map(({ label }) => label);
  return labels.length > 0 ? identities.byLabels(type, [...new Set(labels)]) : [];
}

async function readEmbedded(
  { gallery }: Stores,
  run: ImageRun,
  rows: ImageRows,
): Promise<ArchivedState['embedded']> {
  const faceIds = faceIdsOf(rows);
  if (faceIds.length === 0) return new Map();
  const vectors = archivedFacts(run).flatMap((facts) => facts.vectors);
  const modelIds = [...new Set(vectors.map(({ modelId }) => modelId))];
  const embedded = modelIds.map(async (modelId) => {
    return [modelId, new Set(await gallery.embedded(modelId, faceIds))] as const;
  });
  return new Map(await Promise.all(embedded));
}
