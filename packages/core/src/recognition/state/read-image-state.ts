import type { Stores } from '../../database/database.ts';
import type { Candidate } from '../../identities/candidate.ts';
import type { Identity } from '../../identities/identity.ts';
import { requireAssignable } from '../../identities/require-assignable.ts';
import { MAX_SUGGESTIONS, suggestionFloor } from '../../matching/decide-face.ts';
import { rankGallery, readGallery } from '../../matching/read-gallery.ts';
import type { Suggestion } from '../../references/gallery-store.ts';
import { facesToCompare, type ImageRun, labelOfClass } from '../run/image-run.ts';
import type { ImageState, StoredImage } from './image-state.ts';
import {
  faceIdsOf,
  hiddenReferences,
  readImageRows,
  readLinks,
  type ImageLinks,
  type ImageRows,
} from './read-stored-image.ts';

/**
 * @param stored the stored rows of the image, if the caller has already read them
 * @throws NotFound or TypeMismatch because of the named identity
 */
export async function readImageState(
  stores: Stores,
  run: ImageRun,
  stored?: StoredImage,
): Promise<ImageState> {
  const reading = stored ? Promise.resolve(stored) : readImageRows(stores, run.digest);
  const linking = stored
    ? Promise.resolve(stored)
    : reading.then((rows) => readLinks(stores, rows));
  // These reads are independent, so they start together and share round trips.
  const [rows, links, ofFaces, candidates, proposed, named, objectIdentities] = await Promise.all([
    reading,
    linking,
    reading.then((rows) => readOfStoredFaces(stores, run, rows)),
    rankCandidates(stores, run, linking),
    readIdentities(stores, run.proposals?.identityIds ?? []),
    findNamed(stores, run),
    readObjectIdentities(stores, run),
  ]);
  const { source, detections } = rows;
  const { references, rejections } = links;
  const mentioned = [
    ...detections.flatMap(({ identityId }) => identityId ?? []),
    ...[...candidates, ...ofFaces.suggestions.values()].flat().map(({ identityId }) => identityId),
  ];
  const known = new Set(proposed.map(({ id }) => id));
  const others = await readIdentities(
    stores,
    mentioned.filter((id) => !known.has(id)),
  );
  return {
    source,
    detections,
    references,
    rejections,
    ...ofFaces,
    candidates,
    identities: new Map([...proposed, ...others].map((identity) => [identity.id, identity])),
    named,
    objectIdentities,
  };
}

export async function readIdentities(
  { identities }: Stores,
  ids: readonly number[],
): Promise<readonly Identity[]> {
  return ids.length > 0 ? identities.byIds([...new Set(ids)]) : [];
}

async function rankCandidates(
  stores: Stores,
  run: ImageRun,
  linking: Promise<ImageLinks>,
): Promise<ImageState['candidates']> {
  const { proposals } = run;
  const candidates: (readonly Candidate[])[] = (run.faces ?? []).map(() => []);
  if (proposals === null || proposals.identityIds.length === 0) return candidates;
  const hidden = run.kind === 'replace' ? hiddenReferences(run, await linking) : [];
  const gallery = await readGallery(stores.gallery, proposals, hidden);
  for (const { index, embedding } of facesToCompare(run)) {
    candidates[index] = rankGallery(embedding, gallery, proposals);
  }
  return candidates;
}

async function readOfStoredFaces(
  { gallery }: Stores,
  { kind, models, settings }: ImageRun,
  rows: ImageRows,
): Promise<Pick<ImageState, 'suggestions' | 'embedded'>> {
  const ids = faceIdsOf(rows);
  // Stored suggestions and embeddings are needed only if the run updates stored faces, and only a run of the kind
  // `compare` does so.
  if (models.faces === null || kind !== 'compare' || ids.length === 0) {
    return { suggestions: new Map(), embedded: new Set() };
  }
  const [suggestions, embedded] = await Promise.all([
    gallery.suggestions(models.faces.id, ids),
    gallery.embedded(models.faces.id, ids),
  ]);
  return {
    suggestions: shownOf(suggestions, suggestionFloor(settings.matchThreshold)),
    embedded: new Set(embedded),
  };
}

/** More suggestions are stored than are shown. */
function shownOf(
  suggestions: readonly Suggestion[],
  floor: number,
): ReadonlyMap<number, readonly Candidate[]> {
  const similar = suggestions.filter(({ similarity }) => similarity >= floor);
  const byFace = Map.groupBy(similar, ({ detectionId }) => detectionId);
  return new Map([...byFace].map(([id, own]) => [id, own.slice(0, MAX_SUGGESTIONS)]));
}

async function findNamed(stores: Stores, { named }: ImageRun): Promise<Identity | null> {
  if (named === null) return null;
  const { type } = named;
  if ('label' in named) {
    const [identity] = await stores.identities.byLabels(type, [named.label]);
    return identity ?? null;
  }
  const id = named.identityId;
  return requireAssignable(await stores.identities.byId(id), { id, type });
}

async function readObjectIdentities(
  stores: Stores,
  { objects }: ImageRun,
): Promise<ImageState['objectIdentities']> {
  const classes = (objects ?? []).flatMap(({ className }) => className ?? []);
  const labels = [...new Set(classes.map(labelOfClass))];
  if (labels.length === 0) return new Map();
  const identities = await stores.identities.byLabels('object', labels);
  return new Map(identities.map((identity) => [identity.label, identity]));
}
