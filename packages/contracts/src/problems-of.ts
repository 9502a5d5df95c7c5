import type { RouteContract } from './define-contract.ts';
import type { ProblemCode } from './problem.ts';

/** Every problem with which an endpoint may answer: its own, and those that its kind brings. */
export function problemsOf(contract: RouteContract): readonly ProblemCode[] {
  const { right, request, idempotent = false } = contract;
  const takesInput = request.path ?? request.query ?? request.headers;
  const codes: readonly (ProblemCode | false)[] = [
    (takesInput !== undefined || idempotent) && 'invalid_request',
    ...contract.problems,
    right !== 'none' && 'unauthenticated',
    right !== 'none' && 'store_unavailable',
    right === 'full' && 'forbidden',
    idempotent && 'idempotency_mismatch',
    idempotent && 'in_progress',
  ];
  return [...new Set(codes.filter((code) => code !== false))];
}
