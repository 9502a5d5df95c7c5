import type { Database } from './database.ts';

/**
 * The same database, which calls `wake` after each transaction that it has committed: the process
 * that keeps the index then takes over changed vectors at once. Without it, the index follows at its
 * next interval.
 */
export function wakeAfterWrites(database: Database, wake: () => void): Database {
  return {
    withScope: (scope, read, signal) => database.withScope(scope, read, signal),
    async withEntities(scope, write, signal) {
      const result = await database.withEntities(scope, write, signal);
      wake();
      return result;
    },
    ready: (signal) => database.ready(signal),
  };
}
