import { deleteFaceEmbeddingContract } from '@sightline/contracts/references/delete-face-embedding-contract';
import { deleteReference } from '@sightline/core/curation/delete-reference';
import { defineRoute } from '../../http/define-route.ts';

export const deleteFaceEmbeddingRoute = defineRoute(deleteFaceEmbeddingContract, {
  async handler(context, { path, scope, signal }) {
    await deleteReference(context, { scope, id: path.id }, { signal });
    return { status: 200, body: { deleted: path.id } };
  },
});
