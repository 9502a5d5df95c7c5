import type { FollowedSpace } from '../groups/followed-space.ts';
import type { OpenFace } from '../groups/open-face.ts';

/** Faces and their cosines with a vector, as parallel arrays. The cosines are computed in float64. */
export interface NearFaces {
  readonly ids: Float64Array;
  readonly cosines: Float64Array;
}

/** The strangers of a space, ascending by id. */
export interface StrangerVectors {
  readonly ids: Float64Array<ArrayBuffer>;
  /** The vectors, one after another. */
  readonly vectors: Float32Array<ArrayBuffer>;
}

/**
 * The vectors of open faces in memory, for exact searches apart from those of requests. All methods but `forget` throw
 * VectorsUnavailable if the vectors of the space were lost before the call, until the space is forgotten.
 */
export interface OpenFaceVectors {
  upsert(space: FollowedSpace, faces: readonly OpenFace[]): Promise<void>;
  /** Removes faces by id. Missing faces are ignored. */
  remove(space: FollowedSpace, ids: readonly number[]): Promise<void>;
  /** Finds the strangers that are nearest to each vector, by descending cosine, then by ascending id. */
  nearest(
    space: FollowedSpace,
    vectors: readonly Float32Array[],
    limit: number,
  ): Promise<readonly NearFaces[]>;
  /** Finds all open faces whose cosine with a vector is at least `least`, in any order. */
  above(
    space: FollowedSpace,
    vectors: readonly Float32Array[],
    least: number,
  ): Promise<readonly NearFaces[]>;
  /** Finds like {@link OpenFaceVectors.above}, among the strangers. */
  strangersAbove(
    space: FollowedSpace,
    vectors: readonly Float32Array[],
    least: number,
  ): Promise<readonly NearFaces[]>;
  strangers(space: FollowedSpace): Promise<StrangerVectors>;
  /** The vectors of open faces, without those that are not in memory. */
  vectors(space: FollowedSpace, ids: readonly number[]): Promise<readonly Float32Array[]>;
  /**
   * Releases the memory of a space for other spaces; the process keeps it. Throws VectorsUnavailable if the vectors are lost
   * during the call.
   */
  forget(space: FollowedSpace): Promise<void>;
}
