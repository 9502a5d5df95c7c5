import type { Problem } from '@sightline/contracts/problem';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** An answer of the client: a body or a problem. */
export type Answer<Body> =
  | { readonly body: Body; readonly problem: null }
  | { readonly body: null; readonly problem: Problem };

/**
 * The body of an answer.
 *
 * @param what the subject of the error's sentence: a file, or the kind of request
 * @throws StartError with the detail of the problem, if the answer is one
 */
export function answered<Body>(answer: Answer<Body>, what: string): Body {
  if (answer.problem === null) return answer.body;
  throw new StartError(`${what} was refused: ${answer.problem.detail}`);
}
