import { sql } from '../drizzle.ts';

/** The traits of an image, as bits. An image's trait number is the sum of its traits. */
export const TRAIT = { faces: 1, objects: 2, taggedFaces: 4, manual: 8 } as const;

/**
 * All possible trait numbers. Some sums are impossible: a tagged face is also a face, and a drawn detection is also a
 * face or an object.
 */
export const ALL_TRAITS: readonly number[] = Array.from(
  { length: 16 },
  (_, traits) => traits,
).filter((traits) => {
  const hasFaces = hasTrait(traits, TRAIT.faces);
  const isDrawnOn = hasTrait(traits, TRAIT.manual);
  return (
    (hasFaces || !hasTrait(traits, TRAIT.taggedFaces)) &&
    (hasFaces || hasTrait(traits, TRAIT.objects) || !isDrawnOn)
  );
});

export function hasTrait(traits: number, trait: number): boolean {
  return (traits & trait) !== 0;
}

/** The trait number of an image as SQL, computed from the counts in its row. */
export const TRAITS_OF_COUNTS = sql.raw(
  [
    `(face_count > 0)::int * ${TRAIT.faces}`,
    `(object_count > 0)::int * ${TRAIT.objects}`,
    `(tagged_face_count > 0)::int * ${TRAIT.taggedFaces}`,
    `(manual_count > 0)::int * ${TRAIT.manual}`,
  ].join(' + '),
);
