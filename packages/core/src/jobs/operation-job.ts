import type { Actor } from '../store/actor.ts';
import { CurrentOperation, type OperationKind } from '../store/current-operation.ts';
import type { Scope } from '../store/scope.ts';
import type { ClaimedItem } from './job-item.ts';
import type { OperationParams } from './operation-params.ts';

/** Returns the options of a job that a request creates, so that the job acts for its sender. */
export function operationParamsOf({ actor, operation }: Scope): OperationParams {
  if (actor?.kind !== 'request') throw new Error('Only a request begins an operation.');
  const { accountId, keyId, requestId } = actor;
  const isPurge = operation?.isPurge === true;
  return { author: { accountId, keyId, requestId }, ...(isPurge && { isPurge }) };
}

/**
 * Returns the scope in which the work of a job acts for its author, as a part of the job's operation.
 *
 * @param options.isSelective whether only the changes within `Transaction.record` belong to the operation
 */
export function scopeOfJob(
  {
    claim: { environmentId },
    job: {
      operationId,
      params: { author, isPurge = false },
    },
  }: Pick<ClaimedItem, 'claim'> & {
    readonly job: { readonly operationId: number | null; readonly params: OperationParams };
  },
  kind: OperationKind,
  { isSelective = false }: { readonly isSelective?: boolean } = {},
): Scope & { readonly operation: CurrentOperation } {
  const actor: Actor = { kind: 'request', ...author };
  const operation = new CurrentOperation(kind, { isPurge, isSelective, id: operationId });
  return { environmentId, actor, operation };
}
