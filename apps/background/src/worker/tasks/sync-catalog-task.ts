import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import type { CatalogStore } from '@sightline/core/models/catalog-store';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

export interface SyncCatalogDeps {
  readonly store: Pick<CatalogStore, 'sync'>;
  /**
   * The catalog of this process. During a rolling update, workers may have different catalogs; the leader's is used.
   */
  readonly entries: () => Promise<readonly CatalogEntry[]>;
}

/**
 * Writes the models of the catalog to the database. Rows of models that are no longer in the catalog are removed. A
 * row that a running download uses is removed only after the download.
 */
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
