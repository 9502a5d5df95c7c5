/** Returns the body of an answer, and throws if the answer is not a success. */
export function ok<T>(answer: { readonly body: T | null; readonly problem: unknown }): T {
  if (answer.problem !== null) {
    throw new Error(`The service refused: ${JSON.stringify(answer.problem)}`);
  }
  return answer.body!;
}

interface AnyAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly problem: unknown;
}

/**
 * Returns the body of an answer, and throws if the answer has another status. This is for
 * operations with several successful statuses.
 */
export function okWith<A extends AnyAnswer, const S extends number>(
  status: S,
  answer: A,
): Extract<A, { readonly status: S }>['body'] {
  if (answer.status !== status)
    throw new Error(`${answer.status}: ${JSON.stringify(answer.problem)}`);
  return answer.body;
}
