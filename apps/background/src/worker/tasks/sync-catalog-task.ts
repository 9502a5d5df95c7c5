import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import type { CatalogStore } from '@sightline/core/models/catalog-store';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

export interface SyncCatalogDeps {
  readonly store: Pick<CatalogStore, 'sync'>;
  /** Of this process: while workers with other catalogs are replaced, the leader's counts. */
  readonly entries: () => Promise<readonly CatalogEntry[]>;
}

/** Lists the models of the catalog. Rows that a download has kept are removed a minute after it has ended. */
export function syncCatalogTask({ store, entries }: SyncCatalogDeps): BackgroundTask {
  return {
    name: 'sync_catalog',
    everyMs: 60_000,
    run: async () => {
      await store.sync(await entries());
      return ALL_DONE;
    },
  };
}
