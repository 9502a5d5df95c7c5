import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools, type Pools } from '@sightline/postgres/doors/open-pools';
import { openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';
import { LONG_TIMEOUTS } from '../../support/fixtures/long-timeouts.ts';
import type { TestConnection } from '../../support/servers/test-server.ts';

/** A proxy to the server that can delay its answers. */
class Way {
  #onward: Socket | null = null;
  #sent = '';
  readonly #arrivals = new EventTarget();
  readonly #server: Server;

  constructor({ host, port }: TestConnection) {
    const to = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port };
    this.#server = createServer((from) => {
      const onward = connect(to as { host: string; port: number });
      this.#onward = onward;
      from.on('data', (piece) => {
        this.#sent += piece.toString('latin1');
        this.#arrivals.dispatchEvent(new Event('piece'));
        onward.write(piece);
      });
      onward.on('data', (piece) => from.write(piece));
      from.on('close', () => onward.destroy()).on('error', () => undefined);
      onward.on('close', () => from.destroy()).on('error', () => undefined);
    });
  }

  async open(): Promise<{ host: string; port: number }> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return { host: '127.0.0.1', port: (this.#server.address() as { port: number }).port };
  }

  /** Delays all answers from now on, and clears the record of sent bytes. */
  holdAnswers(): void {
    this.#sent = '';
    this.#onward!.pause();
  }

  letAnswersThrough(): void {
    this.#onward!.resume();
  }

  /**
   * Settles when all of these words have been sent in this order, whether or not they were
   * answered.
   */
  async sends(...words: readonly string[]): Promise<void> {
    const pattern = new RegExp(words.join('[^]*'));
    while (!pattern.test(this.#sent)) await once(this.#arrivals, 'piece');
  }

  close(): void {
    this.#server.close();
  }
}

let database: TestDoors;
let way: Way;
let pools: Pools;
let doors: Doors;

beforeEach(async () => {
  database = await openTestDoors();
  way = new Way(database.connection);
  const connection = { ...database.connection, ...(await way.open()) };
  const logger = createLogger({ level: 'silent' });
  pools = openPools(connection, { ...LONG_TIMEOUTS, logger, connections: 1 });
  doors = new Doors(pools);
  // Opens the connection, so that all further traffic comes from the doors.
  await doors.ready();
});

afterEach(async () => {
  way.letAnswersThrough();
  await pools[Symbol.asyncDispose]();
  way.close();
  await database[Symbol.asyncDispose]();
});

describe('a reading transaction', () => {
  const settingOf = (environmentId: number, name = 'own') =>
    doors.withScope({ environmentId }, (session) =>
      session.query(`SELECT current_setting('sightline.environment_id', true) AS ${name}`),
    );

  test('sends its statements with its BEGIN, in one round trip', async () => {
    way.holdAnswers();
    const reading = doors.withScope({ environmentId: database.ours }, (session) =>
      Promise.all([session.query('SELECT 1 AS first'), session.query('SELECT 2 AS second')]),
    );
    await way.sends('BEGIN', 'environment_id', 'first', 'second');
    way.letAnswersThrough();
    expect(await reading).toEqual([[{ first: 1 }], [{ second: 2 }]]);
  });

  test('is answered before its COMMIT, and the next transaction has its own scope', async () => {
    const { ours, theirs } = database;
    const first = await doors.withScope({ environmentId: ours }, async (session) => {
      const rows = await session.query('SELECT 1 AS first');
      way.holdAnswers();
      return rows;
    });
    expect(first).toEqual([{ first: 1 }]);
    const next = settingOf(theirs, 'next');
    const after = pools.app.query(
      `SELECT current_setting('sightline.environment_id', true) AS own`,
    );
    await way.sends('COMMIT', 'BEGIN', 'next');
    way.letAnswersThrough();
    expect(await next).toEqual([{ next: String(theirs) }]);
    expect((await after).rows).toEqual([{ own: '' }]);
    expect(pools.app.totalCount).toBe(1);
  });

  test('that cannot begin fails whatever its work does, and leaves a clean connection', async () => {
    const { ours } = database;
    await leaveFailedTransaction();
    const reading = doors.withScope({ environmentId: ours }, async (session) => {
      const rows = await session.query('SELECT 1').catch(() => []);
      throw new Error(`found ${rows.length}`);
    });
    await expect(reading).rejects.toThrow('current transaction is aborted');
    expect(await settingOf(ours)).toEqual([{ own: String(ours) }]);
  });

  test('that fails is rolled back after the statements that were sent with it', async () => {
    const { ours, theirs } = database;
    const reading = doors.withScope({ environmentId: ours }, (session) =>
      Promise.all([session.query('SELECT 1 / 0'), session.query('SELECT 1')]),
    );
    await expect(reading).rejects.toThrow('division by zero');
    expect(await settingOf(theirs)).toEqual([{ own: String(theirs) }]);
    expect(pools.app.totalCount).toBe(1);
  });
});

test('a writing transaction that cannot begin does nothing', async () => {
  await leaveFailedTransaction();
  let runs = 0;
  const writing = doors.withEntities({ environmentId: database.ours, locks: [] }, () => {
    runs++;
    return Promise.resolve();
  });
  await expect(writing).rejects.toThrow('current transaction is aborted');
  expect(runs).toBe(0);
});

/** Leaves the pool's connection in a failed transaction, so that it cannot begin another. No door does this. */
async function leaveFailedTransaction(): Promise<void> {
  const client = await pools.app.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 / 0').catch(() => undefined);
  client.release();
}
