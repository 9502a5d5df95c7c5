import { undoOperationContract } from '@sightline/contracts/operations/undo-operation-contract';
import { Forbidden } from '@sightline/core/access/access-errors';
import { type Caller, includesRight } from '@sightline/core/access/caller';
import type { SkippedSubject } from '@sightline/core/curation/plan-undo';
import { undoOperation, type UndoneOperation } from '@sightline/core/curation/undo-operation';
import { normalizeLabel } from '@sightline/core/identities/label';
import type { Operation } from '@sightline/core/operations/operation';
import { defineRoute } from '../../http/define-route.ts';

export const undoOperationRoute = defineRoute(undoOperationContract, {
  async handler(context, request) {
    const { path, body, caller, scope, signal } = request;
    const { strict: isStrict, label } = body.fields;
    const undone = await undoOperation(
      context,
      {
        scope,
        id: path.id,
        isStrict,
        label: label === undefined ? null : normalizeLabel(label),
        mayUndo: (operation) => mayUndo(caller, operation),
      },
      { signal, settle: request.settle(present) },
    );
    return present(undone);
  },
});

/** Callers with the right `full` may take back every operation, the others their own. @throws Forbidden */
function mayUndo({ right, accountId, keyId }: Caller, operation: Operation): void {
  const isOwn = operation.accountId === accountId && operation.keyId === keyId;
  if (!isOwn && !includesRight(right, 'full')) {
    throw new Forbidden('With the right `review` only your own operations can be undone.');
  }
}

function present({ operationId, undone, skipped }: UndoneOperation) {
  const body = { operation_id: operationId, undone, skipped: skipped.map(presentSkipped) };
  return { status: 200, body } as const;
}

function presentSkipped({ kind, id, code }: SkippedSubject) {
  return {
    ...(kind === 'detection' && { detection_id: id }),
    ...(kind === 'identity' && { identity_id: id }),
    ...(kind === 'image' && { image_id: id }),
    code,
  };
}
