import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { nameProcess } from '@sightline/composition/database/name-process';
import type { Installation } from '@sightline/core/installation/installation-store';
import { installationStore } from '@sightline/postgres/stores/installation/installation';
import { leaseStore } from '@sightline/postgres/stores/leases/leases';
import pg from 'pg';
import { openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

let database: TestDoors;

beforeEach(async () => {
  database = await openTestDoors();
});

afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

describe('a lease', () => {
  test('is held by one process, renewed, released and taken by the next', async () => {
    const leases = leaseStore(database.doors);
    expect(await leases.hold('indexer', 'a', 60)).toBe(true);
    expect(await leases.hold('indexer', 'b', 60)).toBe(false);
    expect(await leases.hold('another', 'b', 60)).toBe(true);
    expect(await leases.hold('indexer', 'a', 60)).toBe(true);
    await leases.release('indexer', 'b');
    expect(await leases.hold('indexer', 'b', 60)).toBe(false);
    await leases.release('indexer', 'a');
    expect(await leases.hold('indexer', 'b', 60)).toBe(true);
    await leases.release('nothing', 'a');
  });

  test('that has expired is taken over, by the clock of the database', async () => {
    const leases = leaseStore(database.doors);
    await leases.hold('indexer', 'a', 60);
    await database.owner.query(`UPDATE leases SET held_until = now() - interval '1 ms'`);
    expect(await leases.hold('indexer', 'b', 0.001)).toBe(true);
    while (!(await leases.hold('indexer', 'a', 60)));
    expect(await leases.hold('indexer', 'b', 60)).toBe(false);
  });

  test('goes to one of many concurrent callers', async () => {
    const leases = leaseStore(database.doors);
    const asked = Array.from({ length: 20 }, (_, i) => leases.hold('indexer', `holder ${i}`, 60));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
  });
});

describe('the installation', () => {
  test('has an identity of its own and no images yet', async () => {
    const store = installationStore(database.doors);
    const first = await store.read();
    expect(first).toEqual({ id: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/), media: null });
    await using other = await openTestDoors();
    expect((await installationStore(other.doors).read()).id).not.toBe(undefined);
    expect(await store.read()).toEqual(first);
  });

  test('knows which services are connected; commands and others do not count', async () => {
    const store = installationStore(database.doors);
    // Connections without an explicit name have the name of the whole service.
    expect(await store.services()).toEqual(['sightline']);
    await using clients = new AsyncDisposableStack();
    const names = [
      'sightline worker',
      'sightline api jobs',
      'sightline api',
      nameProcess('sightline api', '1.2.3'),
      `${nameProcess('sightline relay', '1.2.3')} events`,
      nameProcess('sightline', '1.2.3'),
      'sightline start',
    ];
    const others = ['sightline command index', 'sightline migrate', 'sightlines', 'psql'];
    for (const name of [...names, ...others]) {
      const client = new pg.Client({ ...database.connection, application_name: name });
      client.on('error', () => undefined);
      await client.connect();
      clients.defer(() => client.end());
    }
    const services = [
      'sightline',
      'sightline api',
      'sightline relay',
      'sightline start',
      'sightline worker',
    ];
    expect(await store.services()).toEqual(services);
  });

  test('is changed by one of several processes that read the same value', async () => {
    const store = installationStore(database.doors);
    const before = await store.read();
    const proposed = Array.from({ length: 8 }, (_, i): Installation => ({
      ...before,
      media: { kind: i % 2 === 0 ? 'files' : 'bucket', location: `location ${i}` },
    }));
    const answers = await Promise.all(proposed.map((after) => store.replace(before, after)));
    const winner = await store.read();
    expect(proposed).toContainEqual(winner);
    expect(answers).toEqual(Array(8).fill(winner));
    const taken = { id: '0198c5a4-0000-7000-8000-000000000001', media: null };
    expect(await store.replace(before, taken)).toEqual(winner);
    expect(await store.replace(winner, taken)).toEqual(taken);
  });
});
