import { getFaceEmbeddingContract } from '@sightline/contracts/references/get-face-embedding-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { defineRoute } from '../../http/define-route.ts';
import { presentFaceEmbedding } from './present-face-embedding.ts';

export const getFaceEmbeddingRoute = defineRoute(getFaceEmbeddingContract, {
  async handler({ database }, { path, scope, signal }) {
    const reference = await database.withScope(
      scope,
      ({ references }) => references.byId(path.id),
      signal,
    );
    if (reference === null) throw new NotFound('face embedding', path.id);
    return { status: 200, body: presentFaceEmbedding(reference) };
  },
});
