import { deleteDetectionContract } from '@sightline/contracts/detections/delete-detection-contract';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { NotFound } from '@sightline/core/store/not-found';
import { defineRoute } from '../../http/define-route.ts';

export const deleteDetectionRoute = defineRoute(deleteDetectionContract, {
  async handler(context, { path, scope, signal }) {
    const result = await deleteDetections(context, { scope, ids: [path.id] }, { signal });
    if (result.deleted.length === 0) throw new NotFound('detection', path.id);
    const isDiscarded = result.discardedSources.length > 0;
    return { status: 200, body: { deleted: path.id, source_image_discarded: isDiscarded } };
  },
});
