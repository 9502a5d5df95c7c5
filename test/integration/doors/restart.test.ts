import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools } from '@sightline/postgres/doors/open-pools';
import { migrate } from '@sightline/postgres/migrate';
import { temporaryData } from '../../support/fixtures/temporary-data.ts';

test('the doors work again after the server was down', async () => {
  await using data = await temporaryData();
  const folder = join(data.path, 'postgres');
  const first = await EmbeddedPostgres.open({ folder });
  await migrate(first.connection);
  await using pools = openPools(first.connection, {
    logger: createLogger({ level: 'silent' }),
  });
  const doors = new Doors(pools);
  const write = (name: string) =>
    doors.withPlatform('accounts', (session) =>
      session.query('INSERT INTO environments (name) VALUES ($1)', [name]),
    );

  await write('before');
  const halfway = doors.withPlatform('accounts', async (session) => {
    await session.query(`INSERT INTO environments (name) VALUES ('halfway')`);
    await first[Symbol.asyncDispose]();
  });
  await expect(halfway).rejects.toThrow(StoreUnavailable);
  await expect(write('away')).rejects.toThrow(StoreUnavailable);
  expect(await doors.ready()).toBe(false);

  await using second = await EmbeddedPostgres.open({ folder });
  expect(second.connection).toEqual(first.connection);
  await write('after');
  expect(await doors.ready()).toBe(true);
  const names = await doors.withPlatform('accounts', (session) =>
    session.query('SELECT name FROM environments ORDER BY id'),
  );
  expect(names).toEqual([{ name: 'before' }, { name: 'after' }]);
});
