import { listImageIdsContract } from '@sightline/contracts/images/list-image-ids-contract';
import type { SourcePosition } from '@sightline/core/sources/source-store';
import { defineRoute } from '../../http/define-route.ts';
import { IdStream } from '../../http/id-stream.ts';
import { readAll } from '../../http/read-list.ts';
import { toSourceFilter } from './to-source-filter.ts';

/** The number of ids per read. Ids are small, so few large reads are faster than many small ones. */
const CHUNK = 10_000;

export const listImageIdsRoute = defineRoute(listImageIdsContract, {
  handler({ database, parts }, { query, scope, signal }) {
    const filter = toSourceFilter(query);
    const pages = readAll(
      {
        read: (after: SourcePosition | null, limit) =>
          parts.run(
            scope,
            () =>
              database.withScope(
                scope,
                ({ sources }) => sources.positions(filter, { order: query.sort, after, limit }),
                signal,
              ),
            signal,
          ),
        positionOf: (position: SourcePosition) => position,
        present: ({ id }: SourcePosition) => id,
      },
      { after: null, chunk: CHUNK },
    );
    return { status: 200, body: new IdStream(pages) };
  },
});
