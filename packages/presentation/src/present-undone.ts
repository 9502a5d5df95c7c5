import type { UndoneOperation as UndoneAnswer } from '@sightline/contracts/operations/undo-operation-contract';
import type { SkippedSubject } from '@sightline/core/curation/plan-undo';
import type { UndoneOperation } from '@sightline/core/curation/undo-operation';
import type { z } from 'zod';

/** The result of an undo, in an answer and in the results of a job. */
export function presentUndone({
  operationId,
  undone,
  skipped,
}: UndoneOperation): z.input<typeof UndoneAnswer> {
  return { operation_id: operationId, undone, skipped: skipped.map(presentSkipped) };
}

function presentSkipped({ kind, id, code }: SkippedSubject) {
  return {
    ...(kind === 'detection' && { detection_id: id }),
    ...(kind === 'identity' && { identity_id: id }),
    ...(kind === 'image' && { image_id: id }),
    code,
  };
}
