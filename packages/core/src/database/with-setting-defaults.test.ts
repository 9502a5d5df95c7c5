import { expect, test } from '@jest/globals';
import type { Database, Stores } from './database.ts';
import { loadSettings } from './load-settings.ts';
import { withSettingDefaults } from './with-setting-defaults.ts';

const KEY = 'system.url_fetch_private';

test.each([
  ['no stored value', [], false],
  ['a valid stored value', [[KEY, true]], true],
  ['a stored value that is not valid anymore', [[KEY, 'yes']], false],
] as const)('the default of the installation applies to %s', async (_, stored, effective) => {
  const settings = {
    all: () => Promise.resolve(new Map<string, unknown>(stored)),
    changes: () => Promise.resolve(new Map<string, never>()),
  };
  const database: Pick<Database, 'withScope'> = {
    withScope: (_scope, read) => read({ settings } as Partial<Stores> as Stores),
  };
  const withDefaults = withSettingDefaults(database as Database, { [KEY]: false });
  const { urlFetchPrivate } = await loadSettings(withDefaults, { environmentId: 1 });
  expect(urlFetchPrivate).toBe(effective);
});
