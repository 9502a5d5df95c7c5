import type { Candidate } from '../identities/candidate.ts';
import { compareCandidates } from './rank-candidates.ts';

/** The settings of a decision. Each threshold may be above or below the others. */
export interface MatchingRules {
  /** The lowest similarity with which an identity is assigned, -1 to 1. */
  readonly matchThreshold: number;
  /** The lowest similarity with which an assignment is confirmed automatically, -1 to 1. */
  readonly autoConfirmThreshold: number;
  /** The lowest quality with which an automatically confirmed face is enrolled, 0 to 1; 0 turns this off. */
  readonly autoEnrollThreshold: number;
}

export interface ImageRules extends MatchingRules {
  /** The ids of identities that other detections of the image already have. */
  readonly taken: ReadonlySet<number>;
}

export interface FaceToDecide {
  /** The candidates in any order, each identity once. */
  readonly candidates: readonly Candidate[];
  /** The ids of identities from which the face was rejected. They are neither assigned nor suggested. */
  readonly rejected: ReadonlySet<number>;
  /** The quality of the face, 0 to 1. */
  readonly quality: number;
  /**
   * The highest status that the decision may set. It is `pending` for boxes that a person drew. If an image was posted
   * with a label, it is also `pending` for the faces that do not get the label.
   */
  readonly ceiling: 'confirmed' | 'pending';
}

export interface FaceDecision {
  readonly identityId: number | null;
  /** The similarity of the best candidate, even if it is not assigned, -1 to 1; null without candidates. */
  readonly similarity: number | null;
  readonly reviewStatus: 'pending' | 'confirmed';
  readonly enroll: boolean;
  /** At most {@link MAX_SUGGESTIONS}, descending by similarity. */
  readonly suggestions: readonly Candidate[];
}

export const MAX_SUGGESTIONS = 5;
/** How far below the match threshold an identity is still suggested. */
const SUGGESTION_MARGIN = 0.2;
/** The least similarity with which an identity is ever suggested. */
export const LEAST_SUGGESTION = 0.2;

/**
 * Decides the identities of the faces of one image. The decisions are in the order of the faces.
 *
 * A face gets its most similar candidate or no identity. Each identity is assigned to at most one face of the image: to
 * the most similar one, or to the first of equally similar ones. The other faces stay unidentified, with the identity
 * among their suggestions. They do not get their second candidate, because a face that is similar to Ann and is not Ann
 * is more likely an unknown person than the second candidate.
 */
export function decideFaces(
  faces: readonly FaceToDecide[],
  rules: ImageRules,
): readonly FaceDecision[] {
  const ranked = faces.map(({ candidates, rejected }) =>
    candidates.filter(({ identityId }) => !rejected.has(identityId)).sort(compareCandidates),
  );
  const winners = facesOfIdentities(ranked, rules);
  return faces.map((face, index) => {
    const candidates = ranked[index]!;
    const best = candidates[0];
    const identityId =
      best !== undefined && winners.get(best.identityId) === index ? best.identityId : null;
    return {
      identityId,
      similarity: best?.similarity ?? null,
      ...statusOf(face, identityId === null ? null : best!.similarity, rules),
      suggestions: suggestionsOf(candidates, rules),
    };
  });
}

/** Returns, for each identity to assign, the index of the face that gets the identity. */
function facesOfIdentities(
  ranked: readonly (readonly Candidate[])[],
  { matchThreshold, taken }: ImageRules,
): ReadonlyMap<number, number> {
  const bestOf = (index: number) => ranked[index]![0]!;
  const winners = new Map<number, number>();
  for (const [index, [best]] of ranked.entries()) {
    if (best === undefined || best.similarity < matchThreshold || taken.has(best.identityId)) {
      continue;
    }
    const rival = winners.get(best.identityId);
    if (rival === undefined || best.similarity > bestOf(rival).similarity) {
      winners.set(best.identityId, index);
    }
  }
  return winners;
}

function statusOf(
  face: FaceToDecide,
  similarity: number | null,
  rules: MatchingRules,
): Pick<FaceDecision, 'reviewStatus' | 'enroll'> {
  const isConfirmed =
    similarity !== null && similarity >= rules.autoConfirmThreshold && face.ceiling === 'confirmed';
  if (!isConfirmed) return { reviewStatus: 'pending', enroll: false };
  const { autoEnrollThreshold } = rules;
  const enroll = autoEnrollThreshold > 0 && face.quality >= autoEnrollThreshold;
  return { reviewStatus: 'confirmed', enroll };
}

/** The lowest similarity with which an identity is suggested. */
export function suggestionFloor(matchThreshold: number): number {
  return Math.max(LEAST_SUGGESTION, matchThreshold - SUGGESTION_MARGIN);
}

function suggestionsOf(
  ranked: readonly Candidate[],
  { matchThreshold }: MatchingRules,
): readonly Candidate[] {
  const floor = suggestionFloor(matchThreshold);
  return ranked.filter(({ similarity }) => similarity >= floor).slice(0, MAX_SUGGESTIONS);
}
