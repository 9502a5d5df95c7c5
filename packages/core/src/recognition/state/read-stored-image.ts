import type { Database, Stores } from '../../database/database.ts';
import { effectiveSettings, type EffectiveSettings } from '../../settings/effective-settings.ts';
import type { Scope } from '../../store/scope.ts';
import type { StoredImage } from './image-state.ts';

/**
 * Reads what a run begins with: the settings, and what is stored of its image.
 *
 * @throws StoreUnavailable
 */
export function readBeforeRun(
  database: Database,
  { scope, digest }: { readonly scope: Scope; readonly digest: string },
  signal?: AbortSignal,
): Promise<{ readonly settings: EffectiveSettings; readonly stored: StoredImage }> {
  return database.withScope(
    scope,
    async (stores) => {
      const [values, stored] = await Promise.all([
        stores.settings.all(),
        readStoredImage(stores, digest),
      ]);
      return { settings: effectiveSettings(values), stored };
    },
    signal,
  );
}

/** @param digest SHA-256 (hex) of the file */
export async function readStoredImage(stores: Stores, digest: string): Promise<StoredImage> {
  const source = await stores.sources.byDigest(digest);
  const detections = source === null ? [] : await stores.detections.ofSource(source.id);
  const faceIds = detections.filter(({ type }) => type === 'face').map(({ id }) => id);
  if (faceIds.length === 0) {
    return { source, detections, references: [], rejections: new Map() };
  }
  const [references, rejected] = await Promise.all([
    stores.references.ofDetections(faceIds),
    stores.gallery.rejections(faceIds),
  ]);
  const byDetection = Map.groupBy(rejected, ({ detectionId }) => detectionId);
  const rejections = new Map(
    [...byDetection].map(([id, pairs]) => [id, new Set(pairs.map((pair) => pair.identityId))]),
  );
  return { source, detections, references, rejections };
}
