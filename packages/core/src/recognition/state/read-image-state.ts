import type { Stores } from '../../database/database.ts';
import type { Detection } from '../../detections/detection.ts';
import { TypeMismatch } from '../../identities/identity-errors.ts';
import type { Identity } from '../../identities/identity.ts';
import type { Candidate } from '../../matching/rank-candidates.ts';
import { rankGallery, readGallery } from '../../matching/read-gallery.ts';
import { NotFound } from '../../store/not-found.ts';
import { facesToCompare, type ImageRun, labelOfClass, type NamedTarget } from '../run/image-run.ts';
import { hiddenReferences, type ImageState, type StoredImage } from './image-state.ts';
import { readStoredImage } from './read-stored-image.ts';

/**
 * Reads everything that the plan of a run rests on.
 *
 * @param known what is stored of the image, if the caller has read it
 * @throws NotFound, TypeMismatch for the named identity
 */
export async function readImageState(
  stores: Stores,
  run: ImageRun,
  known?: StoredImage,
): Promise<ImageState> {
  const reading = known ? Promise.resolve(known) : readStoredImage(stores, run.digest);
  // What does not depend on the stored image is read at the same time.
  const [stored, candidates, ofFaces, named, objectIdentities] = await Promise.all([
    reading,
    rankCandidates(stores, run, reading),
    reading.then(({ detections }) => readOfStoredFaces(stores, run, detections)),
    run.named && findNamed(stores, run.named),
    readObjectIdentities(stores, run),
  ]);
  const identityIds = new Set(
    [
      ...stored.detections.map(({ identityId }) => identityId),
      ...[...candidates, ...ofFaces.suggestions.values()].flat().map((one) => one.identityId),
    ].filter((id) => id !== null),
  );
  const identities = identityIds.size > 0 ? await stores.identities.byIds([...identityIds]) : [];
  return {
    ...stored,
    ...ofFaces,
    candidates,
    identities: new Map(identities.map((identity) => [identity.id, identity])),
    named,
    objectIdentities,
  };
}

async function rankCandidates(
  stores: Stores,
  run: ImageRun,
  reading: Promise<StoredImage>,
): Promise<ImageState['candidates']> {
  const { proposals } = run;
  const candidates: (readonly Candidate[])[] = (run.analysis.faces?.items ?? []).map(() => []);
  if (proposals === null || proposals.identityIds.length === 0) return candidates;
  const hidden = run.replace ? hiddenReferences(run, await reading) : [];
  const gallery = await readGallery(stores.gallery, proposals, hidden);
  for (const { index, embedding } of facesToCompare(run)) {
    candidates[index] = rankGallery(embedding, gallery, proposals);
  }
  return candidates;
}

async function readOfStoredFaces(
  { gallery }: Stores,
  { models, replace }: ImageRun,
  detections: readonly Detection[],
): Promise<Pick<ImageState, 'suggestions' | 'embedded'>> {
  const ids = detections.filter(({ type }) => type === 'face').map(({ id }) => id);
  if (models.faces === null || replace || ids.length === 0) {
    return { suggestions: new Map(), embedded: new Set() };
  }
  const [suggestions, embeddings] = await Promise.all([
    gallery.suggestions(models.faces.id, ids),
    gallery.embeddings(models.faces.id, ids),
  ]);
  return {
    suggestions: Map.groupBy(suggestions, ({ detectionId }) => detectionId),
    embedded: new Set(embeddings.map(({ detectionId }) => detectionId)),
  };
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
