import type { ProblemCode } from '@sightline/contracts/problem';
import type { DomainError } from '@sightline/core/domain-error';

/** Whether an error is one of these problems. */
export function isProblemOf(problems: readonly ProblemCode[], { code }: DomainError): boolean {
  return problems.some((problem) => problem === code);
}
