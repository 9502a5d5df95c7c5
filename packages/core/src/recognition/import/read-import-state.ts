import type { Stores } from '../../database/database.ts';
import { identitiesByName } from '../../database/identities-by-name.ts';
import type { Identity, NewIdentity } from '../../identities/identity.ts';
import type { PlannableState } from '../state/image-state.ts';
import { readIdentities } from '../state/read-image-state.ts';
import { faceIdsOf, type ImageRows, readImageRows, readLinks } from '../state/read-stored-image.ts';
import type { ImportRun } from './import-run.ts';

export interface ImportState extends PlannableState {
  /** The existing identities that the archive mentions, by `identityKey`. */
  readonly mentioned: ReadonlyMap<string, Identity>;
  /** The ids of the stored faces that have an embedding, by model id. */
  readonly embedded: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The state of an image that is not stored, and that mentions no identities. */
export const EMPTY_STATE: ImportState = {
  source: null,
  detections: [],
  references: [],
  rejections: new Map(),
  identities: new Map(),
  mentioned: new Map(),
  embedded: new Map(),
};

export function mentionsNone(run: ImportRun): boolean {
  return mentionedBy(run).length === 0;
}

export async function readImportState(stores: Stores, run: ImportRun): Promise<ImportState> {
  const reading = readImageRows(stores, run.digest);
  const [{ source, detections }, { references, rejections }, identities, mentioned, embedded] =
    await Promise.all([
      reading,
      reading.then((rows) => readLinks(stores, rows)),
      reading.then((rows) => identitiesOf(stores, rows)),
      identitiesByName(stores, mentionedBy(run)),
      reading.then((rows) => readEmbedded(stores, run, rows)),
    ]);
  return { source, detections, references, rejections, identities, mentioned, embedded };
}

async function identitiesOf(
  stores: Stores,
  { detections }: ImageRows,
): Promise<ImportState['identities']> {
  const ids = detections.flatMap(({ identityId }) => identityId ?? []);
  const identities = await readIdentities(stores, ids);
  return new Map(identities.map((identity) => [identity.id, identity]));
}

function mentionedBy({ faces, objects }: ImportRun): readonly NewIdentity[] {
  return [...faces, ...objects].flatMap(({ identity, rejections }) => [
    ...(identity === null ? [] : [identity]),
    ...rejections.map((rejection) => rejection.identity),
  ]);
}

async function readEmbedded(
  { gallery }: Stores,
  { faces }: ImportRun,
  rows: ImageRows,
): Promise<ImportState['embedded']> {
  const faceIds = faceIdsOf(rows);
  if (faceIds.length === 0) return new Map();
  const vectors = faces.flatMap((face) => face.vectors);
  const modelIds = [...new Set(vectors.map(({ modelId }) => modelId))];
  const embedded = modelIds.map(async (modelId) => {
    return [modelId, new Set(await gallery.embedded(modelId, faceIds))] as const;
  });
  return new Map(await Promise.all(embedded));
}
