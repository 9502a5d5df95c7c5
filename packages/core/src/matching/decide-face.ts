import type { Candidate } from '../identities/candidate.ts';
import { compareCandidates } from './rank-candidates.ts';

/** The settings of a decision; the thresholds may be in any order. */
export interface MatchingRules {
  /** Least similarity to assign an identity, -1..1. */
  readonly matchThreshold: number;
  /** Least similarity to confirm without a person, -1..1. */
  readonly autoConfirmThreshold: number;
  /** Least quality to enroll on automatic confirmation, 0..1; 0: never. */
  readonly autoEnrollThreshold: number;
}

export interface ImageRules extends MatchingRules {
  /** Identities that other detections of the image already have. */
  readonly taken: ReadonlySet<number>;
}

export interface FaceToDecide {
  /** In any order, each identity once. */
  readonly candidates: readonly Candidate[];
  /** Identities that the face was rejected from: they are neither assigned nor suggested. */
  readonly rejected: ReadonlySet<number>;
  /** 0..1. */
  readonly quality: number;
  /**
   * The highest status that the decision may reach: `pending` for manual boxes and for the other faces
   * of an image that came with a label.
   */
  readonly ceiling: 'confirmed' | 'pending';
}

export interface FaceDecision {
  /** Null: unidentified. */
  readonly identityId: number | null;
  /** The similarity of the best candidate, assigned or not, -1..1; null: there was none. */
  readonly similarity: number | null;
  readonly reviewStatus: 'pending' | 'confirmed';
  /** The embedding becomes a reference of the identity. */
  readonly enroll: boolean;
  /** At most 5, the most similar first. */
  readonly suggestions: readonly Candidate[];
}

export const MAX_SUGGESTIONS = 5;
/** How far below the match threshold an identity is still suggested. */
const SUGGESTION_MARGIN = 0.2;
const LEAST_SUGGESTION = 0.2;

/**
 * Decides who the faces of one image are; answers in the order of the faces.
 *
 * A face gets its most similar candidate or no identity. An identity is assigned once per image: to
 * the face that is most similar to it, of equal ones to the first. The others stay unidentified, with
 * that identity among their suggestions. They do not get their next best candidate: a face that looks
 * like Ann and is not Ann is more likely a stranger than the next most similar person.
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

/** Index of the face that each identity goes to. */
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

/** The least similarity at which an identity is suggested. */
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
