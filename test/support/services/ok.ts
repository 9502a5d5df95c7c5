/** The body of an answer that is expected to succeed. */
export function ok<T>(answer: { readonly body: T | null; readonly problem: unknown }): T {
  if (answer.problem !== null) {
    throw new Error(`The service refused: ${JSON.stringify(answer.problem)}`);
  }
  return answer.body!;
}
