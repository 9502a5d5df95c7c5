/** The body of an answer that is expected to succeed. */
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

/** The body of an answer that has to have this status, for operations with several successful statuses. */
export function okWith<A extends AnyAnswer, const S extends number>(
  status: S,
  answer: A,
): Extract<A, { readonly status: S }>['body'] {
  if (answer.status !== status)
    throw new Error(`${answer.status}: ${JSON.stringify(answer.problem)}`);
  return answer.body;
}
