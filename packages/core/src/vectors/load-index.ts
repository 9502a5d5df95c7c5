import type { IndexDeps } from './index-changes.ts';

const PAGE = 2000;

/**
 * Fills an empty index from the database; answers how many points it has then. Changes stay noted:
 * whoever indexes changes afterwards brings what was written meanwhile.
 *
 * @throws StoreUnavailable, VectorsUnavailable; the signal's reason on abort
 */
export async function loadIndex(
  { source, index }: Pick<IndexDeps, 'source' | 'index'>,
  signal?: AbortSignal,
): Promise<number> {
  let loaded = 0;
  for (const space of await source.spaces(signal)) {
    for (let after: number | null = 0; after !== null;) {
      const points = await source.scan(space, { after, limit: PAGE }, signal);
      if (points.length > 0) await index.upsert(space, points, signal);
      loaded += points.length;
      after = points.length === PAGE ? points.at(-1)!.id : null;
    }
  }
  return loaded;
}
