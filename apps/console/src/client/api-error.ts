import type { Problem } from '@sightline/contracts/problem';

/** The service refused a request. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  /** Seconds after which the service accepts the request again, if it says so. */
  readonly retryAfter: number | null;

  constructor(problem: Problem, retryAfter: number | null) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** No answer of the service arrived, or what arrived was no answer of it. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

export function isProblem(
  error: unknown,
  ...codes: readonly Problem['code'][]
): error is ProblemError {
  return (
    error instanceof ProblemError && (codes.length === 0 || codes.includes(error.problem.code))
  );
}

/** Whether the service refused the request, and nothing of it was carried out. */
export function isRefused(error: unknown): boolean {
  return isProblem(error) && error.problem.status < 500 && error.problem.code !== 'in_progress';
}

/** Whether the service may have carried out the request, although its answer was lost. */
export function isLostAnswer(error: unknown): boolean {
  return error instanceof UnreachableError || (isProblem(error) && !isRefused(error));
}

/** Whether the same request may succeed later without a change by a person. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  return error instanceof ProblemError && [429, 502, 503, 504].includes(error.problem.status);
}
