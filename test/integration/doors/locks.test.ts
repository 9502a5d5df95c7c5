import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityLock } from '@sightline/core/store/entity-lock';
import type { TransactionSession } from '@sightline/postgres/doors/transaction-session';
import { openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

const { floor, random } = Math;

let database: TestDoors;

beforeEach(async () => {
  database = await openTestDoors();
});

afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

describe('under random load', () => {
  test('there is no deadlock, and no two writers hold conflicting locks', async () => {
    const { doors, ours } = database;
    const room = new Room();
    const writer = async () => {
      for (let i = 0; i < 40; i++) {
        const [first, later] = [someLocks(), someLocks()];
        await doors.withEntities(
          { environmentId: ours, locks: first },
          async (session, require) => {
            // Half of the transactions require further locks after they have begun.
            const locks = random() < 0.5 ? first : [...first, ...later];
            require(...locks);
            await room.stay(locks, () => write(session));
          },
        );
      }
    };
    await Promise.all(Array.from({ length: 12 }, writer));
    expect(room.conflicts).toEqual([]);
    expect(room.visits).toBe(12 * 40);
    const { rows } = await database.owner.query<{ deadlocks: string }>(
      `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`,
    );
    expect(rows).toEqual([{ deadlocks: '0' }]);
  });

  test('environments do not wait for each other', async () => {
    const { doors, ours, theirs } = database;
    const locks: EntityLock[] = [
      { entity: 'source', digest: 'ab' },
      { entity: 'label', type: 'face', label: 'Ann' },
    ];
    // Ids belong to one environment, but the same name or digest may occur in several environments.
    await doors.withEntities({ environmentId: ours, locks: [{ entity: 'environment' }] }, () =>
      doors.withEntities({ environmentId: theirs, locks }, () => Promise.resolve()),
    );
    await doors.withEntities({ environmentId: ours, locks }, () =>
      doors.withEntities({ environmentId: theirs, locks }, () => Promise.resolve()),
    );
  });
});

/** Records the current holders of each lock. */
class Room {
  visits = 0;
  readonly conflicts: string[] = [];
  readonly #shared = new Map<string, number>();
  readonly #exclusive = new Set<string>();

  async stay(locks: readonly EntityLock[], visit: () => Promise<unknown>): Promise<void> {
    const modes = new Map<string, boolean>();
    for (const lock of locks) {
      const key = JSON.stringify({ ...lock, mode: undefined });
      modes.set(key, isExclusive(lock) || modes.get(key) === true);
    }
    for (const [key, exclusive] of modes) this.#enter(key, exclusive);
    await visit();
    for (const [key, exclusive] of modes) this.#leave(key, exclusive);
    this.visits++;
  }

  #enter(key: string, exclusive: boolean): void {
    const guests = this.#shared.get(key) ?? 0;
    if (this.#exclusive.has(key) || (exclusive && guests > 0)) this.conflicts.push(key);
    if (exclusive) this.#exclusive.add(key);
    else this.#shared.set(key, guests + 1);
  }

  #leave(key: string, exclusive: boolean): void {
    if (exclusive) this.#exclusive.delete(key);
    else this.#shared.set(key, this.#shared.get(key)! - 1);
  }
}

function isExclusive(lock: EntityLock): boolean {
  return lock.entity !== 'identity' || lock.mode === 'exclusive';
}

function someLocks(): EntityLock[] {
  if (random() < 0.03) return [{ entity: 'environment' }];
  return Array.from({ length: floor(random() * 5) }, someLock);
}

function someLock(): EntityLock {
  const id = 1 + floor(random() * 6);
  switch (floor(random() * 5)) {
    case 0:
      return { entity: 'source', digest: `digest ${id}` };
    case 1:
      return { entity: 'label', type: 'face', label: `label ${id}` };
    case 2:
      return { entity: 'detection', id };
    default:
      return { entity: 'identity', id, mode: random() < 0.6 ? 'shared' : 'exclusive' };
  }
}

async function write(session: TransactionSession): Promise<void> {
  await session.query('SELECT pg_sleep($1)', [random() / 500]);
}
