import type { VectorPoint, VectorSpace } from '@sightline/core/vectors/vector-index';

export const DIMENSION = 128;

/** The last environment; each test uses new ones. */
let lastEnvironment = 4_000_000_000_000;

/** A space that no other test uses. */
export function someSpace(): VectorSpace {
  return { environmentId: ++lastEnvironment, modelId: 1, kind: 'references', dimension: DIMENSION };
}

export function point(id: number, identityId: number | null, vector: Float32Array): VectorPoint {
  return { id, identityId, fingerprint: id * 10, vector };
}

export function axis(n: number): Float32Array {
  const vector = new Float32Array(DIMENSION);
  vector[n] = 1;
  return vector;
}

/** A unit vector with this cosine to `axis(0)`. */
export function at(cosine: number): Float32Array {
  const vector = axis(0);
  vector[0] = cosine;
  vector[1] = Math.sqrt(1 - cosine * cosine);
  return vector;
}

/** Unit vectors in all directions, the same ones for the same seed. */
export function randomVectors(seed: number): () => Float32Array {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return () => {
    const vector = Float32Array.from({ length: DIMENSION }, next);
    const length = Math.sqrt(dot(vector, vector));
    return vector.map((value) => value / length);
  };
}

export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * b[n]!, 0);
}
