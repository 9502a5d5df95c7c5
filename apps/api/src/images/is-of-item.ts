import type { ProblemCode } from '@sightline/contracts/problem';
import type { DomainError } from '@sightline/core/domain-error';
import { AnalysisFailed } from '@sightline/core/models/model-errors';

/**
 * Whether an error concerns a single item of a batch: it is one of these problems, or the analysis of the item failed
 * while inference still works.
 */
export function isOfItem(problems: readonly ProblemCode[], error: DomainError): boolean {
  return error instanceof AnalysisFailed || problems.some((problem) => problem === error.code);
}
