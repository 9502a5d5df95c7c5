import { deleteImageContract } from '@sightline/contracts/images/delete-image-contract';
import { deleteSource } from '@sightline/core/curation/delete-source';
import { defineRoute } from '../../http/define-route.ts';

export const deleteImageRoute = defineRoute(deleteImageContract, {
  async handler(context, { path, scope, signal }) {
    const { id } = path;
    const deleted = await deleteSource(context, { scope, id }, { signal });
    return {
      status: 200,
      body: {
        source_image_id: id,
        detections_deleted: deleted.detectionsDeleted,
        crops_removed: deleted.cropsRemoved,
      },
    };
  },
});
