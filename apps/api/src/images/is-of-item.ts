import type { ProblemCode } from '@sightline/contracts/problem';
import type { DomainError } from '@sightline/core/domain-error';
import { AnalysisFailed } from '@sightline/core/models/model-errors';

/**
 * Whether an error concerns only one item of a batch. This holds for the given problems, and if the analysis of the item
 * failed although inference works.
 */
export function isOfItem(problems: readonly ProblemCode[], error: DomainError): boolean {
  return error instanceof AnalysisFailed || problems.some((problem) => problem === error.code);
}
