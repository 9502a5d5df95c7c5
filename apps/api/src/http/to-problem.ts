import { type ProblemCode, PROBLEMS } from '@sightline/contracts/problem';
import type { ProblemDefinition } from '@sightline/contracts/problem-definition';
import { TooManyRequests } from '@sightline/core/access/access-errors';
import { DomainError } from '@sightline/core/domain-error';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { ClusterChanged } from '@sightline/core/similarity/require-cluster';
import type { Problem } from '@sightline/platform/http/problem';
import { presentClusterChange } from '../routes/clusters/present-cluster-change.ts';

/**
 * Returns the API problem for a domain error, or undefined for other errors and for codes that the table `PROBLEMS`
 * does not list.
 */
export function toProblem(error: unknown): Problem | undefined {
  if (!(error instanceof DomainError) || !isListed(error.code)) return undefined;
  const definition: ProblemDefinition = PROBLEMS[error.code];
  const retryAfter =
    error instanceof InferenceOverloaded || error instanceof TooManyRequests
      ? error.retryAfterSeconds
      : definition.retryAfterSeconds;
  return {
    status: definition.status,
    code: error.code,
    title: definition.title,
    detail: error.message,
    facts: error instanceof ClusterChanged ? presentClusterChange(error) : error.facts,
    headers: {
      ...(retryAfter !== undefined && { 'Retry-After': String(Math.ceil(retryAfter)) }),
      ...(definition.challenge !== undefined && { 'WWW-Authenticate': definition.challenge }),
    },
  };
}

function isListed(code: string): code is ProblemCode {
  return Object.hasOwn(PROBLEMS, code);
}
