import type { Box } from './closest-box.ts';
import type { Candidate } from './judge-face.ts';

/** How a face is like one person, as far as the list of the people most like it says. */
export type Comparison =
  | { readonly name: 'known'; readonly similarity: number }
  /** The list is full without the person. */
  | { readonly name: 'far'; readonly below: number }
  | { readonly name: 'no_reference' };

/** @param most the number of people that the list may have */
export function comparePerson(
  candidates: readonly Candidate[],
  person: number,
  most: number,
): Comparison {
  const found = candidates.find(({ identity_id: id }) => id === person);
  if (found !== undefined) return { name: 'known', similarity: found.similarity };
  const last = candidates.at(-1);
  if (last === undefined || candidates.length < most) return { name: 'no_reference' };
  return { name: 'far', below: last.similarity };
}

/** The face with the largest box, which is the one that the service compares; undefined without a face. */
export function largestFace<T extends { readonly bbox: Box }>(faces: readonly T[]): T | undefined {
  return faces.toSorted((a, b) => b.bbox.w * b.bbox.h - a.bbox.w * a.bbox.h)[0];
}
