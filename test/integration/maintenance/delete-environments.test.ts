import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import {
  deleteEnvironments,
  type DeleteEnvironmentsDeps,
} from '@sightline/core/maintenance/delete-environments';
import { SERVICE } from '@sightline/core/store/actor';
import { mediaKey } from '@sightline/core/media/media-key';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools, type Pools } from '@sightline/postgres/doors/open-pools';
import { PostgresEnvironmentEraser } from '@sightline/postgres/stores/maintenance/environment-eraser';
import pg from 'pg';
import { EnvironmentDeleted } from '@sightline/core/store/environment-deleted';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import {
  environmentColumn,
  environmentTables,
  fillEveryTable,
} from '../../support/fixtures/every-table.ts';
import { LONG_TIMEOUTS } from '../../support/fixtures/long-timeouts.ts';
import {
  faceAt,
  openRecognition,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import { type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let pools: Pools;
/** Deletes few rows at a time, so that a deletion has many steps. */
let eraser: PostgresEnvironmentEraser;
let ours: SeededEnvironment;
let theirs: SeededEnvironment;
/** The account that owns both environments. */
let owner: string;

beforeAll(async () => {
  fixture = await openRecognition();
  pools = openPools(fixture.store.connection, {
    ...LONG_TIMEOUTS,
    logger: createLogger({ level: 'silent' }),
  });
  eraser = new PostgresEnvironmentEraser(new Doors(pools), 5);
});

beforeEach(async () => {
  const draft = { name: 'Ada', isAdmin: true, passwordBy: 'owner', passwordHash: 'x' } as const;
  ours = await fixture.store.environment();
  theirs = await fixture.store.environment();
  const email = `${randomUUID()}@example.org`;
  ({ id: owner } = await fixture.store.accounts.insert({ ...draft, email }, SERVICE));
  // Environments of a first account are not adopted by a later one.
  for (const { scope } of [ours, theirs]) {
    await fixture.store.query(
      `INSERT INTO members (environment_id, account_id, role) VALUES ($1, $2, 'owner')
       ON CONFLICT DO NOTHING`,
      [scope.environmentId, owner],
    );
  }
  fixture.scenes.set('photo', { faces: [faceAt(0)] });
});

afterAll(async () => {
  await pools[Symbol.asyncDispose]();
  await fixture[Symbol.asyncDispose]();
});

const idOf = ({ scope }: SeededEnvironment): number => scope.environmentId;

function deps(): DeleteEnvironmentsDeps {
  return { eraser, media: fixture.store.media, vectors: fixture.index };
}

const request = (home: SeededEnvironment) =>
  fixture.store.environments.delete({
    accountId: owner,
    environmentId: idOf(home),
    requestId: 'request',
  });

/** Deletes what was requested, while the index follows as it does in the service. */
async function finish(given: DeleteEnvironmentsDeps = deps()): Promise<void> {
  while ((await given.eraser.pending()).length > 0) {
    await deleteEnvironments(given);
    await fixture.catchUp();
  }
}

/** The tables with rows of the environment. */
async function filledTables(home: SeededEnvironment): Promise<readonly string[]> {
  const filled: string[] = [];
  for (const table of await environmentTables(fixture.store)) {
    const column = environmentColumn(table);
    const rows = await fixture.store.query(`SELECT FROM ${table} WHERE ${column} = $1 LIMIT 1`, [
      idOf(home),
    ]);
    if (rows.length > 0) filled.push(table);
  }
  return filled;
}

/** The rows of all tables of the environment, as text. */
async function contentOf(home: SeededEnvironment): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, string> = {};
  for (const table of await environmentTables(fixture.store)) {
    const [row] = await fixture.store.query<{ content: string }>(
      `SELECT coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)), '[]')::text AS content
       FROM ${table} t WHERE ${environmentColumn(table)} = $1`,
      [idOf(home)],
    );
    content[table] = row!.content;
  }
  return content;
}

async function pointsOf(home: SeededEnvironment): Promise<number> {
  const [row] = await fixture.store.query<{ id: number }>(
    `SELECT id FROM models WHERE status = 'active' AND task = 'face'`,
  );
  const lists = await Promise.all(
    (['faces', 'references', 'means'] as const).map((kind) =>
      fixture.index.list(
        { environmentId: idOf(home), modelId: row!.id, kind, dimension: 2 },
        { after: 0, limit: 100 },
      ),
    ),
  );
  return lists.flat().length;
}

/** Enrolls two faces, so that the environment has rows, files and points. */
async function populate(home: SeededEnvironment): Promise<void> {
  const guest = visitor(fixture.process(), home);
  for (const label of ['Bea', 'Bob']) {
    fixture.scenes.set(label, { faces: [faceAt(label === 'Bea' ? 0 : 90)] });
    await guest.enroll(label, label);
  }
  await fixture.catchUp();
}

// The first test, because others leave rows that contradict each other.
test('a check finds nothing, whatever the deletion of an environment has done so far', async () => {
  await populate(ours);
  await request(ours);
  const check = () => checkConsistency(fixture.store, { deep: true, orphanAgeMs: 0 });
  let steps = 0;
  for (let cleared: number | null = 0; cleared !== null; steps++) {
    ({ cleared } = (await eraser.deleteRows(idOf(ours), cleared))!);
    expect(await check()).toEqual([]);
  }
  expect(steps).toBeGreaterThan(3);
  expect(await fixture.store.files(ours.scope)).not.toEqual([]);
  expect(await checkBesideEnd()).toEqual([]);
  expect(await fixture.store.files(ours.scope)).toEqual([]);
  expect(await check()).toEqual([]);
});

/** Checks, and ends the deletions when the check has listed the files and does not know yet which of them have rows. */
function checkBesideEnd(): Promise<readonly string[]> {
  const { media } = fixture.store;
  let listings = 0;
  const watched = {
    open: media.open.bind(media),
    async *list(prefix: string) {
      yield* media.list(prefix);
      listings += 1;
      if (listings === 2) await finish();
    },
  };
  const deps = { ...fixture.store, media: watched as unknown as typeof media };
  return checkConsistency(deps, { deep: true, orphanAgeMs: 0 });
}

describe('the deletion of an environment', () => {
  test('leaves no row but the audit, no file and no point, and nothing else changes', async () => {
    await populate(ours);
    await populate(theirs);
    await fillEveryTable(fixture.store, [idOf(ours), idOf(theirs)]);
    await fixture.store.query('DELETE FROM environment_deletions');
    // The rows above have no files and vectors that the index could read.
    await fixture.store.query('DELETE FROM vector_changes');
    expect(await pointsOf(ours)).toBeGreaterThan(0);
    const before = { content: await contentOf(theirs), points: await pointsOf(theirs) };
    const files = await fixture.store.files(theirs.scope);

    await request(ours);
    expect((await filledTables(ours)).toSorted()).toEqual(
      (await environmentTables(fixture.store))
        .filter((table) => table !== 'vector_changes')
        .toSorted(),
    );
    await finish();

    expect(await filledTables(ours)).toEqual(['audit']);
    expect(await fixture.store.files(ours.scope)).toEqual([]);
    expect(await pointsOf(ours)).toBe(0);
    expect(await contentOf(theirs)).toEqual(before.content);
    expect(await pointsOf(theirs)).toBe(before.points);
    expect(await fixture.store.files(theirs.scope)).toEqual(files);
    expect(
      await fixture.store.query('SELECT FROM models WHERE status = $1', ['active']),
    ).not.toEqual([]);
  });

  test('continues in another process after an interruption at any step', async () => {
    let crashes = 0;
    for (let at = 0; ; at++) {
      const home = await fixture.store.environment();
      await fixture.store.query(
        `INSERT INTO members (environment_id, account_id, role) VALUES ($1, $2, 'owner')
         ON CONFLICT DO NOTHING`,
        [idOf(home), owner],
      );
      await populate(home);
      await request(home);
      const crash = new Crash(at);
      await finish(crash.during(deps())).catch((error: unknown) => {
        if (!(error instanceof Error) || !isCrash(error)) throw error;
        crashes++;
      });
      await finish();
      expect({ at, left: await filledTables(home) }).toEqual({ at, left: ['audit'] });
      expect(await fixture.store.files(home.scope)).toEqual([]);
      expect(await pointsOf(home)).toBe(0);
      if (!crash.happened) break;
    }
    expect(crashes).toBeGreaterThan(10);
  });

  test('removes what merges, deletions of identities and running jobs have left', async () => {
    const id = idOf(ours);
    const [from, into] = [await ours.identity('Ann'), await ours.identity('Anne')];
    await ours.photo([{ identityId: from }, { identityId: into }]);
    await fixture.store.query(
      'UPDATE identities SET deleting_since = now(), merged_into = $2 WHERE id = $1',
      [from, into],
    );
    await fixture.store.query(
      'UPDATE identities SET cover_detection_id = d.id FROM detections d WHERE d.identity_id = identities.id',
    );
    await fixture.store.query(
      `WITH job AS (
         INSERT INTO jobs (environment_id, type, status, total, params)
         VALUES ($1, 'reprocess', 'running', 1, '{}') RETURNING environment_id, id)
       INSERT INTO job_items (environment_id, job_id, index, input, state, token, holder, lease_until)
       SELECT environment_id, id, 0, '{}', 'running', gen_random_uuid(), gen_random_uuid(), now() FROM job`,
      [id],
    );
    await request(ours);
    expect(
      await fixture.store.maintenance.deletingIdentities({ limit: 10, idleSeconds: 0 }),
    ).toEqual([]);
    await finish();
    expect(await filledTables(ours)).toEqual(['audit']);
  });

  test('waits for a transaction that had begun, and deletes its rows', async () => {
    const begun = Promise.withResolvers<undefined>();
    const goOn = Promise.withResolvers<undefined>();
    const writing = fixture.store.database.withEntities(
      { ...ours.scope, locks: [] },
      async (tx) => {
        begun.resolve(undefined);
        await goOn.promise;
        await tx.settings.put('face.match_threshold', 0.5);
      },
    );
    await begun.promise;
    await request(ours);
    expect(await deleteEnvironments(deps())).toBe(false);
    expect(await eraser.end(idOf(ours))).toBe(false);
    goOn.resolve(undefined);
    await writing;
    expect(await filledTables(ours)).toContain('environment_settings');
    await finish();
    expect(await filledTables(ours)).toEqual(['audit']);
  });

  test('waits for an index that has not removed its points', async () => {
    await populate(ours);
    await request(ours);
    while (await deleteEnvironments(deps()));
    expect(await filledTables(ours)).toEqual([
      'audit',
      'environment_deletions',
      'environments',
      'members',
      'vector_changes',
    ]);
    expect(await pointsOf(ours)).toBeGreaterThan(0);
    await finish();
    expect(await filledTables(ours)).toEqual(['audit']);
  });

  test('begins again with the rows when another transaction inserts one at its end', async () => {
    await request(ours);
    while (await eraser.deleteRows(idOf(ours), 0).then((progress) => progress?.cleared !== null));
    const client = new pg.Client(fixture.store.connection);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('INSERT INTO job_turns (environment_id, served_at) VALUES ($1, now())', [
        idOf(ours),
      ]);
      const ending = eraser.end(idOf(ours));
      await waitForLock();
      await client.query('COMMIT');
      expect(await ending).toBe(false);
    } finally {
      await client.end();
    }
    expect(await filledTables(ours)).toContain('members');
    await finish();
    expect(await filledTables(ours)).toEqual(['audit']);
  });

  test('of two environments at once ends for both, even if a store refuses one for a while', async () => {
    await populate(ours);
    await populate(theirs);
    await fixture.store.query(
      `WITH third AS (INSERT INTO environments (name) VALUES ($1) RETURNING id)
       INSERT INTO members (environment_id, account_id, role) SELECT id, $2, 'owner' FROM third`,
      [randomUUID(), owner],
    );
    await request(ours);
    await request(theirs);
    const vectors = {
      dropEnvironment: (environmentId: number): Promise<void> =>
        environmentId === idOf(ours)
          ? Promise.reject(new VectorsUnavailable('The index is down.'))
          : fixture.index.dropEnvironment(environmentId),
    };
    while ((await filledTables(theirs)).length > 1) {
      await deleteEnvironments({ ...deps(), vectors }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(AggregateError);
      });
      await fixture.catchUp();
    }
    expect(await filledTables(ours)).toEqual([
      'audit',
      'environment_deletions',
      'environments',
      'members',
    ]);
    await finish();
    expect(await filledTables(ours)).toEqual(['audit']);
  });
});

describe('while an environment is being deleted', () => {
  test('its similarity is neither followed from the beginning nor compared', async () => {
    await populate(ours);
    const spaces = async () =>
      (await fixture.store.similarityQueue.spaces()).map(({ environmentId }) => environmentId);
    expect(await spaces()).toContain(idOf(ours));
    await request(ours);
    expect(await spaces()).not.toContain(idOf(ours));
    await finish();
  });

  test('nothing can be written in it, and files of requests in flight are removed', async () => {
    const guest = visitor(fixture.process(), ours);
    await request(ours);
    await expect(guest.detect('photo')).rejects.toBeInstanceOf(EnvironmentDeleted);
    expect(await fixture.store.files(ours.scope)).toEqual([]);
    await expect(
      fixture.store.idempotency.claim(ours.scope, {
        key: 'k',
        formerKey: null,
        fingerprint: Uint8Array.of(1),
      }),
    ).rejects.toBeInstanceOf(EnvironmentDeleted);
    await finish();
    await expect(guest.detect('photo')).rejects.toBeInstanceOf(EnvironmentDeleted);
    expect(await filledTables(ours)).toEqual(['audit']);
  });

  test('detections that keep arriving leave nothing', async () => {
    await populate(ours);
    const guest = visitor(fixture.process(), ours);
    let stored = 0;
    let refused = 0;
    let goes = true;
    const arriving = Array.from({ length: 4 }, async (_, client) => {
      for (let n = 0; goes; n++) {
        const text = `${client} ${n}`;
        fixture.scenes.set(text, { faces: [faceAt(n)] });
        await guest.detect(text).then(
          () => stored++,
          (error: unknown) => {
            expect(error).toBeInstanceOf(EnvironmentDeleted);
            refused++;
          },
        );
      }
    });
    while (stored < 8) await new Promise((resolve) => setTimeout(resolve, 5));
    await request(ours);
    await finish();
    goes = false;
    await Promise.all(arriving);
    expect(refused).toBeGreaterThan(0);
    expect(await filledTables(ours)).toEqual(['audit']);
    expect(await fixture.store.files(ours.scope)).toEqual([]);
    expect(await pointsOf(ours)).toBe(0);
  });

  test('none of its jobs begins', async () => {
    const { jobs } = fixture.store;
    await fixture.store.query(
      `WITH job AS (
         INSERT INTO jobs (environment_id, type, status, total, params)
         SELECT e, 'reprocess', 'pending', 1, '{}' FROM unnest($1::bigint[]) AS e RETURNING environment_id, id)
       INSERT INTO job_items (environment_id, job_id, index, input)
       SELECT environment_id, id, 0, '{"sourceImageId": 1}' FROM job`,
      [[idOf(ours), idOf(theirs)]],
    );
    await request(ours);
    const claimed = [await jobs.claim(['reprocess']), await jobs.claim(['reprocess'])];
    expect(claimed.map((item) => item?.claim.environmentId)).toEqual([idOf(theirs), undefined]);
    await finish();
  });

  test('a stray file is removed, and a foreign one is not', async () => {
    const content = { digest: 'ab'.repeat(32), extension: 'jpg' };
    const [own, foreign] = [idOf(ours), idOf(ours) * 10].map((id) =>
      mediaKey(id, 'crops', content),
    );
    for (const key of [own!, foreign!]) await fixture.store.media.put(key, Uint8Array.of(1));
    await request(ours);
    await finish();
    expect(await fixture.store.files(ours.scope)).toEqual([]);
    expect(await fixture.store.media.open(foreign!)).not.toBeNull();
    await fixture.store.media.remove([foreign!]);
  });
});

/** Waits until a transaction waits for a lock. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const waiting = await fixture.store.query('SELECT FROM pg_locks WHERE NOT granted');
    if (waiting.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

class Crashed extends Error {}

function isCrash(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every((each) => each instanceof Crashed);
  return error instanceof Crashed;
}

/** Ends a deletion before or after its nth call of a store. Further calls fail, too. */
class Crash {
  happened = false;
  #left: number;

  constructor(calls: number) {
    this.#left = calls;
  }

  during(given: DeleteEnvironmentsDeps): DeleteEnvironmentsDeps {
    return {
      eraser: this.#crashing(given.eraser),
      media: this.#crashing(given.media),
      vectors: this.#crashing(given.vectors),
    };
  }

  #pass(): void {
    if (this.#left-- > 0) return;
    this.happened = true;
    throw new Crashed();
  }

  #crashing<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, key) => {
        const method = Reflect.get(target, key) as (...values: unknown[]) => unknown;
        return (...values: unknown[]) => {
          this.#pass();
          const result = method.apply(target, values);
          if (!(result instanceof Promise)) return result;
          return result.then((value: unknown) => {
            this.#pass();
            return value;
          });
        };
      },
    });
  }
}
