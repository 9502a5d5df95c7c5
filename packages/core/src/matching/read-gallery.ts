import type { Candidate } from '../identities/candidate.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import type { FoundPoint, GalleryReader, GalleryReference } from '../references/gallery-store.ts';
import type { ReferenceLink } from '../references/reference.ts';
import type { EffectiveSettings } from '../settings/effective-settings.ts';
import { isComparable } from '../vectors/is-comparable.ts';
import { addToSum, meanOf } from './identity-mean.ts';
import { rankByBestReference, rankByMean, type GalleryVector } from './rank-candidates.ts';

export type MatchStrategy = EffectiveSettings['matchStrategy'];

/** The members of a model by which vectors are compared. */
export type ComparingModel = Pick<RegisteredModel, 'id' | 'similarityCalibration'>;

/** The identities that faces may have, as the index proposes them. Some may have changed in the database since. */
export interface Proposals {
  readonly model: ComparingModel;
  readonly strategy: MatchStrategy;
  /** The length of the compared vectors. */
  readonly dimension: number;
  readonly identityIds: readonly number[];
  /** For `best_match`, the closest reference of each identity for each face; empty for `average`. */
  readonly closest: readonly FoundPoint[];
}

/**
 * Reads the current vectors of the proposed identities: references for `best_match`, means for `average`.
 * Vectors that cannot be compared are ignored. The follower of similarity counts and logs their faces.
 *
 * @param hidden references to ignore
 */
export function readGallery(
  gallery: GalleryReader,
  proposals: Proposals,
  hidden: readonly ReferenceLink[] = [],
): Promise<readonly GalleryVector[]> {
  return proposals.strategy === 'best_match'
    ? readReferences(gallery, proposals, hidden)
    : readMeans(gallery, proposals, hidden);
}

/** Ranks the identities of the gallery for a face, descending by similarity. @param query L2-normalized */
export function rankGallery(
  query: Float32Array,
  gallery: readonly GalleryVector[],
  { model, strategy }: Pick<Proposals, 'model' | 'strategy'>,
): readonly Candidate[] {
  const rank = strategy === 'best_match' ? rankByBestReference : rankByMean;
  return rank(query, gallery, model.similarityCalibration);
}

async function readReferences(
  gallery: GalleryReader,
  { model, dimension, closest }: Proposals,
  hidden: readonly ReferenceLink[],
): Promise<readonly GalleryVector[]> {
  if (closest.length === 0) return [];
  const counts = usable(hidden, dimension);
  const ids = new Set(closest.map(({ pointId }) => pointId));
  const live = (await gallery.references(model.id, [...ids])).filter(counts);
  const found = new Set(live.map(({ id }) => id));
  // If the closest reference was deleted, all other references of its identity must be compared.
  const lost = closest.filter(({ pointId }) => !found.has(pointId));
  if (lost.length === 0) return live;
  const open = new Set(lost.map(({ identityId }) => identityId));
  const others = await gallery.referencesOf(model.id, [...open]);
  return [...live.filter(({ identityId }) => !open.has(identityId)), ...others.filter(counts)];
}

async function readMeans(
  gallery: GalleryReader,
  { model, dimension, identityIds }: Proposals,
  hidden: readonly ReferenceLink[],
): Promise<readonly GalleryVector[]> {
  const touched = new Set(
    hidden.filter(({ modelId }) => modelId === model.id).map(({ identityId }) => identityId),
  );
  const kept = identityIds.filter((id) => !touched.has(id));
  const stored = kept.length > 0 ? await gallery.means(model.id, kept) : [];
  const found = stored.filter((mean) => isComparable(mean, dimension));
  if (touched.size === 0) return found;
  // The means of touched identities are computed below, without the hidden references. `gallery.means` may return one
  // as well, namely as the target of another identity that is being merged into it.
  const means = found.filter(({ identityId }) => !touched.has(identityId));
  const references = await gallery.referencesOf(model.id, [...touched]);
  return [...means, ...meansOf(references.filter(usable(hidden, dimension)))];
}

function usable(
  hidden: readonly ReferenceLink[],
  dimension: number,
): (reference: GalleryReference) => boolean {
  const ids = new Set(hidden.map(({ id }) => id));
  return (reference) => !ids.has(reference.id) && isComparable(reference, dimension);
}

function meansOf(references: readonly GalleryReference[]): readonly GalleryVector[] {
  const byIdentity = Map.groupBy(references, ({ identityId }) => identityId);
  return [...byIdentity].flatMap(([identityId, own]) => {
    const sum = new Float64Array(own[0]!.vector.length);
    for (const { vector } of own) addToSum(sum, vector);
    const vector = meanOf(sum, own.length);
    return vector === null ? [] : [{ identityId, vector }];
  });
}
