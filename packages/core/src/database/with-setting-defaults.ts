import type { SettingDefaults } from '../settings/setting-defaults.ts';
import { SETTINGS, type SettingKey } from '../settings/settings-catalog.ts';
import type { SettingsReader } from '../settings/settings-store.ts';
import type { Database, Stores, Transaction } from './database.ts';

/** Wraps a database, so that a setting without a valid stored value has the default of the installation. */
export function withSettingDefaults(database: Database, defaults: SettingDefaults): Database {
  const entries = Object.entries(defaults);
  if (entries.length === 0) return database;
  const all = async (settings: SettingsReader) => {
    const stored = await settings.all();
    const missing = entries.filter(
      ([key]) => SETTINGS[key as SettingKey].read(stored.get(key)) === undefined,
    );
    return new Map([...stored, ...missing]);
  };
  const inStores = (stores: Stores): Stores => ({
    ...stores,
    settings: { all: () => all(stores.settings), changes: () => stores.settings.changes() },
  });
  const inTransaction = (tx: Transaction): Transaction => ({
    ...tx,
    settings: {
      all: () => all(tx.settings),
      changes: () => tx.settings.changes(),
      put: (key, value) => tx.settings.put(key, value),
    },
  });
  return {
    withScope: (scope, read, signal) =>
      database.withScope(scope, (stores) => read(inStores(stores)), signal),
    withEntities: (scope, write, signal) =>
      database.withEntities(scope, (tx) => write(inTransaction(tx)), signal),
    deferred() {
      const deferred = database.deferred();
      return {
        withEntities: (scope, write, signal) =>
          deferred.withEntities(scope, (tx) => write(inTransaction(tx)), signal),
        flush: () => deferred.flush(),
      };
    },
    ready: (signal) => database.ready(signal),
  };
}
