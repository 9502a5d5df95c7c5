import { listFaceEmbeddingsContract } from '@sightline/contracts/references/list-face-embeddings-contract';
import { answerList, byId } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentFaceEmbedding } from './present-face-embedding.ts';

export const listFaceEmbeddingsRoute = defineRoute(listFaceEmbeddingsContract, {
  handler(context, request) {
    const { identity_id: identityId, model_id: modelId } = request.query;
    const filter = {
      ...(identityId !== undefined && { identityId }),
      ...(modelId !== undefined && { modelId }),
    };
    return answerList(context, request, {
      order: byId('face-embeddings'),
      read: ({ references }, before, limit) => references.list(filter, { before, limit }),
      present: presentFaceEmbedding,
    });
  },
});
