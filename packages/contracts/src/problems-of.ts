import type { RequestContract, RequiredRight, RouteContract } from './define-contract.ts';
import type { ProblemCode } from './problem.ts';

const BY_RIGHT: Readonly<Record<RequiredRight, readonly ProblemCode[]>> = {
  none: [],
  read: ['unauthenticated', 'store_unavailable'],
  full: ['unauthenticated', 'store_unavailable', 'forbidden'],
  admin: ['unauthenticated', 'store_unavailable', 'forbidden', 'admin_required'],
};
const IDEMPOTENCY: readonly ProblemCode[] = [
  'invalid_request',
  'idempotency_mismatch',
  'in_progress',
];

/**
 * All problems of an endpoint: the problems that its contract lists, and the problems that follow from the contract's
 * other members.
 */
export function problemsOf(contract: RouteContract): readonly ProblemCode[] {
  const codes: ProblemCode[] = [...contract.problems, ...BY_RIGHT[contract.right]];
  if (takesParameters(contract.request)) codes.push('invalid_request');
  if (contract.idempotent) codes.push(...IDEMPOTENCY);
  return [...new Set(codes)];
}

function takesParameters({ path, query, headers }: RequestContract): boolean {
  return (path ?? query ?? headers) !== undefined;
}
