import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import type { CatalogStore } from '@sightline/core/models/catalog-store';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

export interface SyncCatalogDeps {
  readonly store: Pick<CatalogStore, 'sync'>;
  /**
   * The catalog of this process. While workers with other catalogs are being replaced, the leader's catalog counts.
   */
  readonly entries: () => Promise<readonly CatalogEntry[]>;
}

/** Lists the models of the catalog. Rows that a running download needs are removed a minute after it has ended. */
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
