import type { Problem } from '@sightline/contracts/problem';
import { StartError } from '@sightline/platform/lifecycle/start-error';

export type Answer<Body> =
  | { readonly body: Body; readonly problem: null }
  | { readonly body: null; readonly problem: Problem };

/**
 * The body of a successful answer.
 *
 * @param what the subject of the error message: a file, or the kind of request
 * @throws StartError with the problem's detail if the answer is a problem
 */
export function answered<Body>(answer: Answer<Body>, what: string): Body {
  if (answer.problem === null) return answer.body;
  throw new StartError(`${what} was refused: ${answer.problem.detail}`);
}
