import type { AnalyzedFace } from '@sightline/core/analysis/image-analyzer';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { COCO_CLASSES } from '@sightline/core/models/coco-classes';
import { median } from '../bench/statistics.ts';
import { matchBoxes } from './match-boxes.ts';
import type { PhotoAnalyst } from './photo-analyst.ts';
import type { FaceReference, ReferenceFace, ReferenceObject } from './references.ts';

/** Two boxes with at least this intersection over union show the same thing. */
const SAME_THING = 0.5;
/** Objects with a lower score in the reference are too uncertain to be compared. */
const SURE_OBJECT = 0.45;

export interface FaceAgreement {
  readonly reference: string;
  readonly photos: number;
  /** The number of faces in the reference. */
  readonly faces: number;
  readonly found: number;
  readonly missed: number;
  readonly extra: number;
  /**
   * The median intersection over union of the faces that pack and reference both found; null if
   * there are none.
   */
  readonly medianOverlap: number | null;
  /**
   * The least similarity of the embeddings of these faces; null if another model computed the
   * reference's embeddings.
   */
  readonly leastCosine: number | null;
  readonly attributes: AttributeAgreement | null;
}

interface AttributeAgreement {
  readonly faces: number;
  readonly sameGender: number;
  /** The median difference in years. */
  readonly medianAgeDifference: number;
  readonly largestAgeDifference: number;
}

export interface ObjectAgreement {
  readonly photo: string;
  /** The number of objects in the reference with a score of at least 0.45. */
  readonly objects: number;
  /**
   * The number of these objects that the pack found with the same class and an intersection over
   * union of at least 0.5.
   */
  readonly found: number;
  /** The least intersection over union of the objects found; null if there are none. */
  readonly leastOverlap: number | null;
  /** The numbers of objects that the pack finds, by class. */
  readonly classes: ReadonlyMap<string, number>;
}

/**
 * Compares faces with those of a reference implementation.
 *
 * @param folder the folder of the shared photos to compare on
 */
export async function compareFaces(
  analyst: PhotoAnalyst,
  { name, photos }: FaceReference,
  folder: string,
): Promise<FaceAgreement> {
  const compared = [...photos].filter(([path]) => path.startsWith(`${folder}/`));
  const matches = await Array.fromAsync(compared, async ([path, expected]) =>
    matchBoxes(await analyst.faces(path), expected, { least: SAME_THING }),
  );
  const pairs = matches.flatMap((match) => match.pairs);
  const missed = matches.flatMap((match) => match.missed);
  return {
    reference: name,
    photos: compared.length,
    faces: pairs.length + missed.length,
    found: pairs.length,
    missed: missed.length,
    extra: matches.flatMap((match) => match.extra).length,
    medianOverlap: pairs.length === 0 ? null : median(pairs.map(({ overlap }) => overlap)),
    leastCosine: leastCosine(pairs),
    attributes: compareAttributes(pairs),
  };
}

/** Compares objects with those of a reference implementation with the COCO classes. */
export function compareObjects(
  analyst: PhotoAnalyst,
  reference: ReadonlyMap<string, readonly ReferenceObject[]>,
): Promise<ObjectAgreement[]> {
  return Array.fromAsync(reference, async ([photo, objects]) => {
    const found = await analyst.objects(photo);
    const sure = objects.filter(({ score }) => score >= SURE_OBJECT);
    const { pairs } = matchBoxes(found, sure, {
      least: SAME_THING,
      alike: ({ className }, { classId }) => className === COCO_CLASSES[classId],
    });
    const byClass = Map.groupBy(found, ({ className }) => className);
    return {
      photo,
      objects: sure.length,
      found: pairs.length,
      leastOverlap: pairs.length === 0 ? null : Math.min(...pairs.map(({ overlap }) => overlap)),
      classes: new Map([...byClass].map(([name, items]) => [name, items.length])),
    };
  });
}

interface FacePair {
  readonly found: AnalyzedFace;
  readonly expected: ReferenceFace;
}

function leastCosine(pairs: readonly FacePair[]): number | null {
  const cosines = pairs.flatMap(({ found: { embedding }, expected }) =>
    embedding?.length === expected.embedding.length
      ? [cosineSimilarity(embedding, unit(expected.embedding))]
      : [],
  );
  return cosines.length === 0 ? null : Math.min(...cosines);
}

/**
 * Normalizes a vector. The vectors in the files are rounded to a few digits, so their length is not
 * exactly 1.
 */
function unit(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

function compareAttributes(pairs: readonly FacePair[]): AttributeAgreement | null {
  const described = pairs.flatMap(({ found, expected: { age, male } }) =>
    found.age === null || found.gender === null || age === null || male === null
      ? []
      : [{ apart: Math.abs(found.age - age), same: (found.gender === 'M') === male > 0.5 }],
  );
  if (described.length === 0) return null;
  const apart = described.map((face) => face.apart);
  return {
    faces: described.length,
    sameGender: described.filter(({ same }) => same).length,
    medianAgeDifference: median(apart),
    largestAgeDifference: Math.max(...apart),
  };
}
