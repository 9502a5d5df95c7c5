/** The result of a decision about faces. */
export interface FaceResult {
  readonly done: number;
  readonly failed: number;
  /** The number of failed faces that no longer exist. */
  readonly missing: number;
}

export const NO_FACES: FaceResult = { done: 0, failed: 0, missing: 0 };

interface FailedFace {
  readonly error?: { readonly code: string } | undefined;
}

/** The result of a decision whose answer names the faces that failed. */
export function faceResult(done: number, errors: readonly FailedFace[]): FaceResult {
  const missing = errors.filter(({ error }) => error?.code === 'not_found').length;
  return { done, failed: errors.length, missing };
}

/** The result of a decision that skips faces that no longer exist. */
export function skippingResult(done: number, asked: number): FaceResult {
  const missing = Math.max(0, asked - done);
  return { done, failed: missing, missing };
}

export function addResults(one: FaceResult, other: FaceResult): FaceResult {
  return {
    done: one.done + other.done,
    failed: one.failed + other.failed,
    missing: one.missing + other.missing,
  };
}
