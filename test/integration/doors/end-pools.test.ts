import { expect, test } from '@jest/globals';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPools } from '@sightline/postgres/doors/open-pools';
import { openTestDoors } from '../../support/fixtures/open-test-doors.ts';

test('the disposal of pools settles when all their connections are closed', async () => {
  await using opened = await openTestDoors();
  const pools = openPools(opened.connection, { logger: createLogger({ level: 'silent' }) });
  const connections = { opened: 0, closed: 0 };
  for (const pool of [pools.app, pools.platform, pools.watch]) {
    pool.on('connect', (client) => {
      connections.opened++;
      client.once('end', () => connections.closed++);
    });
  }
  await Promise.all([
    ...Array.from({ length: 8 }, () => pools.app.query('SELECT pg_sleep(0.1)')),
    pools.platform.query('SELECT 1'),
    pools.watch.query('SELECT 1'),
  ]);
  expect(connections).toEqual({ opened: 10, closed: 0 });
  await pools[Symbol.asyncDispose]();
  expect(connections).toEqual({ opened: 10, closed: 10 });
});
