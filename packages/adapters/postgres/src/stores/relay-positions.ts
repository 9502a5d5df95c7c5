import type { RelayStore } from '@sightline/core/events/relay-store';
import { type EventPlace, FIRST_PLACE } from '@sightline/core/events/stored-event';
import type { Doors } from '../doors/doors.ts';

/** How often the position of a relay that has nothing to publish says that it is at work, in seconds. */
const TOUCH_SECONDS = 60;

export class PostgresRelayStore implements RelayStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async position(topic: string, signal?: AbortSignal): Promise<EventPlace> {
    const [place = FIRST_PLACE] = await this.#query<EventPlace>(
      'SELECT xid::text, id FROM relay_positions WHERE topic = $1',
      [topic],
      signal,
    );
    return place;
  }

  async move(
    topic: string,
    { from, to }: { readonly from: EventPlace; readonly to: EventPlace },
    signal?: AbortSignal,
  ): Promise<boolean> {
    const rows = await this.#query<{ isOurs: boolean }>(
      MOVE,
      [topic, from.xid, from.id, to.xid, to.id, TOUCH_SECONDS],
      signal,
    );
    return rows[0]!.isOurs;
  }

  #query<Row>(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return this.#doors.onPlatform('events', (session) => session.query<Row>(text, values), signal);
  }
}

const MOVE = `
  WITH first AS (
    INSERT INTO relay_positions (topic, xid, id) VALUES ($1, $4::xid8, $5::bigint)
    ON CONFLICT (topic) DO NOTHING RETURNING topic
  ), moved AS (
    UPDATE relay_positions SET xid = $4::xid8, id = $5::bigint, moved_at = now()
    WHERE topic = $1 AND (xid, id) = ($2::xid8, $3::bigint)
      AND ((xid, id) <> ($4::xid8, $5::bigint)
        OR moved_at < now() - make_interval(secs => $6::float8))
    RETURNING topic
  )
  SELECT EXISTS (SELECT FROM first) OR EXISTS (SELECT FROM moved) OR EXISTS (
    SELECT FROM relay_positions WHERE topic = $1 AND (xid, id) = ($2::xid8, $3::bigint)
  ) AS "isOurs"`;
