import { undoOperationContract } from '@sightline/contracts/operations/undo-operation-contract';
import { Forbidden } from '@sightline/core/access/access-errors';
import { type Caller, includesRight } from '@sightline/core/access/caller';
import { startUndo } from '@sightline/core/curation/bulk/start-undo';
import type { UndoneOperation } from '@sightline/core/curation/undo-operation';
import { undoOperation } from '@sightline/core/curation/undo-operation';
import { normalizeLabel } from '@sightline/core/identities/label';
import type { Operation } from '@sightline/core/operations/operation';
import { MAX_AT_ONCE, OperationTooLarge } from '@sightline/core/operations/operation-errors';
import { presentUndone } from '@sightline/presentation/present-undone';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';

export const undoOperationRoute = defineRoute(undoOperationContract, {
  async handler(context, request) {
    const { path, query, body, caller, scope, signal } = request;
    const { strict: isStrict, label } = body.fields;
    const isJob = query.async === true;
    const undo = {
      scope,
      id: path.id,
      isStrict,
      label: label === undefined ? null : normalizeLabel(label),
      mayUndo: (operation: Operation) => {
        mayUndo(caller, operation);
        const { count } = operation;
        if (!isJob && count > MAX_AT_ONCE) throw new OperationTooLarge(count, { isStrict: false });
      },
    };
    if (isJob) {
      const settle = request.settle(answerWithBatch);
      return answerWithBatch(await startUndo(context, undo, { signal, settle }));
    }
    const settle = request.settle(present);
    return present(await undoOperation(context, undo, { signal, settle }));
  },
});

/** Callers with the right `full` may take back every operation, the others their own. @throws Forbidden */
function mayUndo({ right, accountId, keyId }: Caller, operation: Operation): void {
  const isOwn = operation.accountId === accountId && operation.keyId === keyId;
  if (!isOwn && !includesRight(right, 'full')) {
    throw new Forbidden('With the right `review` only your own operations can be undone.');
  }
}

function present(undone: UndoneOperation) {
  return { status: 200, body: presentUndone(undone) } as const;
}
