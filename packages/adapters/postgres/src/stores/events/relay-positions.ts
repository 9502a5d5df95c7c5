import type { RelayState, RelayStore } from '@sightline/core/events/relay-store';
import { type EventPosition, FIRST_POSITION } from '@sightline/core/events/stored-event';
import type { Doors } from '../../doors/doors.ts';
import { HORIZON } from './outbox-rows.ts';

export function relayStore(doors: Doors): RelayStore {
  return {
    async position(topic, signal) {
      const [position = FIRST_POSITION] = await query<EventPosition>(
        'SELECT xid::text, id FROM relay_positions WHERE topic = $1',
        [topic],
        signal,
      );
      return position;
    },

    async move(topic, { from, to }, signal) {
      const moved = await query(MOVE, [topic, from.xid, from.id, to.xid, to.id], signal);
      return moved.length > 0;
    },

    async states(signal) {
      return query<RelayState>(STATES, [], signal);
    },
  };

  function query<Row>(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return doors.onPlatform('events', (session) => session.query<Row>(text, values), signal);
  }
}

const MOVE = `
  INSERT INTO relay_positions AS r (topic, xid, id) VALUES ($1, $4::xid8, $5::bigint)
  ON CONFLICT (topic) DO UPDATE SET xid = excluded.xid, id = excluded.id, moved_at = now()
  WHERE (r.xid, r.id) = ($2::xid8, $3::bigint)
  RETURNING topic`;

const STATES = `
  SELECT r.topic,
    coalesce(extract(epoch FROM clock_timestamp() - next.created_at), 0)::float8 AS "lagSeconds",
    extract(epoch FROM clock_timestamp() - r.moved_at)::float8 AS "silentSeconds"
  FROM relay_positions r
  LEFT JOIN LATERAL (
    SELECT o.created_at FROM outbox o
    WHERE (o.xid, o.id) > (r.xid, r.id) AND o.xid < (${HORIZON})
    ORDER BY o.xid, o.id LIMIT 1
  ) next ON true
  WHERE r.moved_at > now() - interval '7 days'
  ORDER BY r.topic`;
