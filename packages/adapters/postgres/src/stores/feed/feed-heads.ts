import type { FeedHeads } from '@sightline/core/feed/feed-watch';
import type { Doors } from '../../doors/doors.ts';
import { rowsOf } from '../database/rows-of.ts';

export function feedHeads(doors: Doors): FeedHeads {
  return {
    async heads(environmentIds) {
      const rows = await doors.onPlatform('events', (session) =>
        session.prepared<{ environmentId: number; head: number }>(
          'read-feed-heads',
          `SELECT h.environment_id AS "environmentId", h.last_id AS head
           FROM ${rowsOf('$1::bigint[]')} AS e (id) JOIN feed_heads h ON h.environment_id = e.id`,
          [environmentIds],
        ),
      );
      return new Map(rows.map(({ environmentId, head }) => [environmentId, head]));
    },
  };
}
