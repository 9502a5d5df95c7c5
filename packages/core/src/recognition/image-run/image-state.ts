import { TypeMismatch } from '../../identities/identity-errors.ts';
import type { Identity } from '../../identities/identity.ts';
import type { Candidate } from '../../matching/rank-candidates.ts';
import { rankGallery, readGallery } from '../../matching/read-gallery.ts';
import type { Stores } from '../../database/database.ts';
import { NotFound } from '../../store/not-found.ts';
import type { Detection } from '../../detections/detection.ts';
import {
  facesToCompare,
  hiddenReferences,
  type ImageRun,
  type ImageState,
  type NamedTarget,
} from './image-run.ts';
import { labelOfClass } from './plan-objects.ts';
import { readStoredImage, type StoredImage } from './stored-image.ts';

/**
 * Reads everything that the plan of a run rests on.
 *
 * @throws NotFound, TypeMismatch for the named identity
 */
export async function readImageState(stores: Stores, run: ImageRun): Promise<ImageState> {
  const stored = await readStoredImage(stores, run.digest);
  const [candidates, suggestions, embedded, named, objectIdentities] = await Promise.all([
    rankCandidates(stores, run, stored),
    readSuggestions(stores, run, stored),
    readEmbedded(stores, run, stored),
    run.named && findNamed(stores, run.named),
    readObjectIdentities(stores, run),
  ]);
  const identityIds = new Set(
    [
      ...stored.detections.map(({ identityId }) => identityId),
      ...[...candidates, ...suggestions.values()].flat().map(({ identityId }) => identityId),
    ].filter((id) => id !== null),
  );
  const identities = identityIds.size > 0 ? await stores.identities.byIds([...identityIds]) : [];
  return {
    ...stored,
    candidates,
    suggestions,
    embedded,
    identities: new Map(identities.map((identity) => [identity.id, identity])),
    named,
    objectIdentities,
  };
}

async function rankCandidates(
  stores: Stores,
  run: ImageRun,
  stored: StoredImage,
): Promise<ImageState['candidates']> {
  const { proposals } = run;
  const candidates: (readonly Candidate[])[] = (run.analysis.faces?.items ?? []).map(() => []);
  if (proposals === null || proposals.identityIds.length === 0) return candidates;
  const gallery = await readGallery(stores.gallery, proposals, hiddenReferences(run, stored));
  for (const { index, embedding } of facesToCompare(run)) {
    candidates[index] = rankGallery(embedding, gallery, proposals);
  }
  return candidates;
}

async function readSuggestions(
  stores: Stores,
  { models, replace }: ImageRun,
  { detections }: StoredImage,
): Promise<ImageState['suggestions']> {
  const ids = faceIdsOf(detections);
  if (models.faces === null || replace || ids.length === 0) return new Map();
  const kept = await stores.gallery.suggestions(models.faces.id, ids);
  return Map.groupBy(kept, ({ detectionId }) => detectionId);
}

async function readEmbedded(
  stores: Stores,
  { models, replace }: ImageRun,
  { detections }: StoredImage,
): Promise<ImageState['embedded']> {
  const ids = faceIdsOf(detections);
  if (models.faces === null || replace || ids.length === 0) return new Set();
  const present = await stores.gallery.embeddings(models.faces.id, ids);
  return new Set(present.map(({ detectionId }) => detectionId));
}

function faceIdsOf(detections: readonly Detection[]): readonly number[] {
  return detections.filter(({ type }) => type === 'face').map(({ id }) => id);
}

async function findNamed(stores: Stores, target: NamedTarget): Promise<Identity | null> {
  if ('label' in target) {
    const [identity] = await stores.identities.byLabels('face', [target.label]);
    return identity ?? null;
  }
  const identity = await stores.identities.byId(target.identityId);
  if (identity === null) throw new NotFound('identity', target.identityId);
  if (identity.type !== 'face') throw new TypeMismatch('face', identity.type);
  return identity;
}

async function readObjectIdentities(
  stores: Stores,
  { analysis }: ImageRun,
): Promise<ImageState['objectIdentities']> {
  const labels = [...new Set((analysis.objects?.items ?? []).map(labelOfClass))];
  if (labels.length === 0) return new Map();
  const identities = await stores.identities.byLabels('object', labels);
  return new Map(identities.map((identity) => [identity.label, identity]));
}
