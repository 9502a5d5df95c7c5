import type { CatalogStore } from '@sightline/core/models/catalog-store';
import type { PackStore } from '@sightline/core/models/pack-store';
import { prunePacks } from '@sightline/core/models/prune-packs';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';
import type { Logger } from '@sightline/platform/logging/logger';

export interface PrunePacksTaskDeps {
  readonly packs: PackStore;
  readonly catalog: Pick<CatalogStore, 'revisions'>;
  /**
   * Reads the revisions of packs that are needed although the database has no row for them. If null, these revisions
   * are unknown, so that only files that belong to no pack are removed.
   */
  readonly alsoNeeded: ((signal: AbortSignal) => Promise<ReadonlySet<string>>) | null;
  readonly logger: Pick<Logger, 'info'>;
}

/** Removes packs from the store that have been unused for a week. */
export function prunePacksTask(deps: PrunePacksTaskDeps): BackgroundTask {
  const { packs, catalog, alsoNeeded, logger } = deps;
  const needed =
    alsoNeeded &&
    (async (signal: AbortSignal) => {
      const both = await Promise.all([catalog.revisions(signal), alsoNeeded(signal)]);
      return new Set(both.flatMap((revisions) => [...revisions]));
    });
  return {
    name: 'prune_packs',
    everyMs: 3_600_000,
    run: async (signal) => {
      const pruned = await prunePacks({ packs, needed: needed && (() => needed(signal)) }, signal);
      if (pruned.packs + pruned.files > 0) logger.info(pruned, 'removed unused models');
      return ALL_DONE;
    },
  };
}
