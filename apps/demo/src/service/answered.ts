import type { Problem } from '@sightline/contracts/problem';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** An answer of the client, as far as it matters whether it is a problem. */
export type Answer<Body> =
  | { readonly body: Body; readonly problem: null }
  | { readonly body: null; readonly problem: Problem };

/**
 * The body of an answer.
 *
 * @param what what was asked for, as the beginning of a sentence
 * @throws StartError that says why it was refused
 */
export function answered<Body>(answer: Answer<Body>, what: string): Body {
  if (answer.problem === null) return answer.body;
  throw new StartError(`${what} was refused: ${answer.problem.detail}`);
}
