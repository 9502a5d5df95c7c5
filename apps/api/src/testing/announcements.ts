import { type EventPlace, FIRST_PLACE } from '@sightline/core/events/stored-event';
import type { PostgresStores } from '@sightline/postgres/open-postgres';

export interface Announcement {
  readonly environmentId: number;
  readonly event: string;
  /** As it is published. */
  readonly data: object;
}

/** More events than one test makes. */
const MANY = 1000;
/** Of no identity: the event that ends what is read. */
const NOBODY = 0;

/** What the stores announce, in all environments. */
export class Announcements {
  readonly #stores: Pick<PostgresStores, 'database' | 'outbox'>;
  /** Where nothing else happens. */
  readonly #environmentId: number;
  #last: EventPlace = FIRST_PLACE;

  private constructor(stores: Pick<PostgresStores, 'database' | 'outbox'>, environmentId: number) {
    this.#stores = stores;
    this.#environmentId = environmentId;
  }

  static async open(stores: PostgresStores): Promise<Announcements> {
    const { id } = await stores.keys.environment('where announcements end');
    return new Announcements(stores, id);
  }

  /** What was announced since the last call, oldest first. */
  async next(): Promise<readonly Announcement[]> {
    const { database, outbox } = this.#stores;
    const environmentId = this.#environmentId;
    // What was committed before this event is read before it.
    await database.withEntities({ environmentId, locks: [] }, (tx) =>
      tx.emit({ event: 'identity_deleted', facts: { identityId: NOBODY } }),
    );
    for (;;) {
      const { events } = await outbox.read(this.#last, MANY);
      const end = events.findLastIndex((event) => event.environmentId === environmentId);
      if (end < 0) continue;
      this.#last = events[end]!.place;
      return events.slice(0, end).map(({ data, event, environmentId }) => ({
        environmentId,
        event,
        data: JSON.parse(data) as object,
      }));
    }
  }
}
