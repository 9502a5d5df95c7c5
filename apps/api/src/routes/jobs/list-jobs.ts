import { listJobsContract } from '@sightline/contracts/jobs/list-jobs-contract';
import { z } from 'zod';
import { decodeCursor } from '../../http/cursor.ts';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { presentJob } from './present-job.ts';

const Cursor = z.tuple([z.literal('jobs'), z.int()]).transform(([, id]) => id);

export const listJobsRoute = defineRoute(listJobsContract, {
  async handler({ database, parts }, { query, scope, signal }) {
    const body = await readList(
      {
        read: (before: number | null, limit) =>
          database.withScope(scope, ({ jobs }) => jobs.list({ before, limit }), signal),
        positionOf: ({ id }) => id,
        cursorOf: (id) => ['jobs', id],
        present: presentJob,
      },
      {
        after: decodeCursor(Cursor, query.cursor),
        limit: query.limit,
        inTurn: (read) => parts.run(scope, read, signal),
      },
    );
    return { status: 200, body };
  },
});
