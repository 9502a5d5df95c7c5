import { type EventPosition, FIRST_POSITION } from '@sightline/core/events/stored-event';
import type { PostgresStores } from '@sightline/postgres/open-postgres';

export interface Announcement {
  readonly environmentId: number;
  readonly event: string;
  readonly data: object;
}

/** The limit of one read, which is more than the events of one test. */
const MANY = 1000;
/** An id that no identity has, for the events that mark the end of a read. */
const NO_IDENTITY = 0;

/** Reads the events of all environments from the outbox. */
export class Announcements {
  readonly #stores: Pick<PostgresStores, 'database' | 'outbox'>;
  /** An environment of its own for the events that mark the end of a read. */
  readonly #environmentId: number;
  #last: EventPosition = FIRST_POSITION;

  private constructor(stores: Pick<PostgresStores, 'database' | 'outbox'>, environmentId: number) {
    this.#stores = stores;
    this.#environmentId = environmentId;
  }

  static async open(stores: PostgresStores): Promise<Announcements> {
    const { id } = await stores.keys.environment('where announcements end');
    return new Announcements(stores, id);
  }

  /** The events since the last call, oldest first. */
  async next(): Promise<readonly Announcement[]> {
    const { database, outbox } = this.#stores;
    const environmentId = this.#environmentId;
    // This event marks the end of the read: all events that were committed earlier are read before it.
    await database.withEntities({ environmentId, locks: [] }, (tx) =>
      tx.emit({ event: 'identity_deleted', facts: { identityId: NO_IDENTITY } }),
    );
    for (;;) {
      const { events } = await outbox.read(this.#last, MANY);
      const end = events.findLastIndex((event) => event.environmentId === environmentId);
      if (end < 0) continue;
      this.#last = events[end]!.position;
      return events.slice(0, end).map(({ data, event, environmentId }) => ({
        environmentId,
        event,
        data: JSON.parse(data) as object,
      }));
    }
  }
}
