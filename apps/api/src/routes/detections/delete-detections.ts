import { deleteDetectionsContract } from '@sightline/contracts/detections/delete-detections-contract';
import {
  deleteDetections,
  type DeletedDetections,
} from '@sightline/core/curation/delete-detections';
import { defineRoute } from '../../http/define-route.ts';

export const deleteDetectionsRoute = defineRoute(deleteDetectionsContract, {
  async handler(context, request) {
    const { body, scope, signal } = request;
    const ids = body.fields.detection_ids;
    const options = { signal, settle: request.settle(answerWith) };
    return answerWith(await deleteDetections(context, { scope, ids }, options));
  },
});

function answerWith({ deleted, discardedSources }: DeletedDetections) {
  const body = { deleted: deleted.length, source_images_discarded: discardedSources.length };
  return { status: 200, body } as const;
}
