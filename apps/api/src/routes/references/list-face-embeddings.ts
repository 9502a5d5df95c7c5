import { listFaceEmbeddingsContract } from '@sightline/contracts/references/list-face-embeddings-contract';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { presentFaceEmbedding } from './present-face-embedding.ts';

const Cursor = z.tuple([z.int()]).transform(([id]) => id);

export const listFaceEmbeddingsRoute = defineRoute(listFaceEmbeddingsContract, {
  async handler({ database, parts }, { query, scope, signal }) {
    const { identity_id: identityId, model_id: modelId, cursor, limit: count } = query;
    const filter = {
      ...(identityId !== undefined && { identityId }),
      ...(modelId !== undefined && { modelId }),
    };
    const body = await readList(
      {
        read: (before: number | null, limit) =>
          database.withScope(
            scope,
            ({ references }) => references.list(filter, { before, limit }),
            signal,
          ),
        positionOf: ({ id }) => id,
        cursorOf: (id) => [id],
        present: presentFaceEmbedding,
      },
      {
        after: decodeCursor(Cursor, cursor),
        limit: count,
        inTurn: (read) => parts.run(scope, read, signal),
      },
    );
    return { status: 200, body };
  },
});
