import type { Stores } from '../../database/database.ts';
import { identitiesByName } from '../../database/identities-by-name.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import { archivedFacts, type ImageRun } from '../run/image-run.ts';
import type { ArchivedState } from '../state/image-state.ts';
import { faceIdsOf, type ImageRows } from '../state/read-stored-image.ts';

/**
 * Reads what the database has of the identities and the models that an archive mentions; null for no
 * archive.
 */
export async function readArchivedState(
  stores: Stores,
  run: ImageRun,
  reading: Promise<ImageRows>,
): Promise<ArchivedState | null> {
  if (!run.archived) return null;
  const [identities, embedded] = await Promise.all([
    identitiesByName(stores, mentionedBy(run)),
    reading.then((rows) => readEmbedded(stores, run, rows)),
  ]);
  return { identities, embedded };
}

function mentionedBy(run: ImageRun): readonly NewIdentity[] {
  return archivedFacts(run).flatMap(({ identity, rejectedFrom }) => [
    ...(identity === null ? [] : [identity]),
    ...rejectedFrom.map((rejection) => rejection.identity),
  ]);
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
