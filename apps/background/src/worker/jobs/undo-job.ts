import { type UndoDeps, undoOperation } from '@sightline/core/curation/undo-operation';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { scopeOfJob } from '@sightline/core/jobs/operation-job';
import { presentUndone } from '@sightline/presentation/present-undone';

/**
 * Takes an operation back. A process that takes the item over goes through the records again; those that were taken back
 * already stay as they are.
 */
export function undoJob(deps: UndoDeps): JobWork<'undo'> {
  return async (item, { signal, advance, end }) => {
    const { operationId: id, label, isStrict } = item.job.params;
    const scope = scopeOfJob(item, 'undo');
    const undone = await undoOperation(
      deps,
      { scope, id, label, isStrict },
      {
        signal,
        undone: item.job.done,
        advance: (tx, { undone: done, skipped: failed, total }) =>
          advance(tx, { progress: { total: Math.max(total, done + failed), done, failed } }),
      },
    );
    const { undone: done } = undone;
    const failed = undone.skipped.length;
    await end({ progress: { total: done + failed, done, failed }, result: presentUndone(undone) });
  };
}
