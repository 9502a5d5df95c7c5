import type { ProblemCode } from '@sightline/contracts/problem';
import type { DomainError } from '@sightline/core/domain-error';
import { AnalysisFailed } from '@sightline/core/models/model-errors';

/**
 * Whether an error is that of one item of a batch alone: one of these problems, or an analysis that
 * failed while inference goes on.
 */
export function isOfItem(problems: readonly ProblemCode[], error: DomainError): boolean {
  return error instanceof AnalysisFailed || problems.some((problem) => problem === error.code);
}
