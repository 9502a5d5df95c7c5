import type { RequestContract, RequiredRight, RouteContract } from './define-contract.ts';
import type { ProblemCode } from './problem.ts';

const CALLER: readonly ProblemCode[] = ['unauthenticated', 'store_unavailable', 'cross_site'];
const IN_ENVIRONMENT: readonly ProblemCode[] = [
  ...CALLER,
  'password_change_required',
  'no_environment',
  'rate_limited',
  // The environment may be that of others, or may be deleted during the request.
  'not_found',
];
const ACCOUNT: readonly ProblemCode[] = [...CALLER, 'password_change_required'];

const BY_RIGHT: Readonly<Record<RequiredRight, readonly ProblemCode[]>> = {
  none: [],
  visitor: ['unauthenticated', 'cross_site', 'store_unavailable'],
  'signed-in': CALLER,
  account: ACCOUNT,
  administrator: [...ACCOUNT, 'admin_required'],
  read: IN_ENVIRONMENT,
  review: [...IN_ENVIRONMENT, 'forbidden'],
  full: [...IN_ENVIRONMENT, 'forbidden'],
  owner: [...IN_ENVIRONMENT, 'forbidden'],
  admin: [...IN_ENVIRONMENT, 'forbidden', 'admin_required'],
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
  const codes: ProblemCode[] = [...contract.problems, ...BY_RIGHT[contract.right], 'overloaded'];
  if (takesParameters(contract.request)) codes.push('invalid_request');
  if (contract.idempotent) codes.push(...IDEMPOTENCY);
  return [...new Set(codes)];
}

function takesParameters({ path, query, headers }: RequestContract): boolean {
  return (path ?? query ?? headers) !== undefined;
}
