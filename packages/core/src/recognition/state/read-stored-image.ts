import type { Database, Stores } from '../../database/database.ts';
import { effectiveSettings, type EffectiveSettings } from '../../settings/effective-settings.ts';
import { readRejections } from '../../matching/read-rejections.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import { NotFound } from '../../store/not-found.ts';
import type { Scope } from '../../store/scope.ts';
import type { ImageRun } from '../run/image-run.ts';
import type { StoredImage } from './image-state.ts';

/**
 * Reads the settings and the stored rows of an image before a run on a posted file.
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

export interface BeforeRun {
  readonly settings: EffectiveSettings;
  readonly source: SourceImage;
  readonly stored: StoredImage;
}

/**
 * Reads the settings and the stored rows of an image before a run on the stored image.
 *
 * @throws NotFound, StoreUnavailable
 */
export function readBeforeRunOf(
  database: Database,
  { scope, id }: { readonly scope: Scope; readonly id: number },
  signal?: AbortSignal,
): Promise<BeforeRun> {
  return database.withScope(
    scope,
    async (stores) => {
      const [values, source, detections] = await Promise.all([
        stores.settings.all(),
        stores.sources.byId(id),
        stores.detections.ofSource(id),
      ]);
      if (source === null) throw new NotFound('image', id);
      const rows = { source, detections };
      const stored = { ...rows, ...(await readLinks(stores, rows)) };
      return { settings: effectiveSettings(values), source, stored };
    },
    signal,
  );
}

async function readStoredImage(stores: Stores, digest: string): Promise<StoredImage> {
  const rows = await readImageRows(stores, digest);
  return { ...rows, ...(await readLinks(stores, rows)) };
}

export type ImageRows = Pick<StoredImage, 'source' | 'detections'>;

/** @param digest SHA-256 (hex) of the file */
export async function readImageRows(stores: Stores, digest: string): Promise<ImageRows> {
  const source = await stores.sources.byDigest(digest);
  // The two reads are sequential, because most images are new and the second read is expensive.
  const detections = source === null ? [] : await stores.detections.ofSource(source.id);
  return { source, detections };
}

export type ImageLinks = Pick<StoredImage, 'references' | 'rejections'>;

export async function readLinks(stores: Stores, rows: ImageRows): Promise<ImageLinks> {
  const faceIds = faceIdsOf(rows);
  if (faceIds.length === 0) return { references: [], rejections: new Map() };
  const [references, rejections] = await Promise.all([
    stores.references.ofDetections(faceIds),
    readRejections(stores.gallery, faceIds),
  ]);
  return { references, rejections };
}

export function faceIdsOf({ detections }: ImageRows): readonly number[] {
  return detections.filter(({ type }) => type === 'face').map(({ id }) => id);
}

/** The stored references that a run removes. They are excluded from matching. */
export function hiddenReferences(
  { kind, faces }: Pick<ImageRun, 'kind' | 'faces'>,
  { references }: Pick<StoredImage, 'references'>,
): readonly ReferenceLink[] {
  return kind === 'replace' && faces !== null ? references : [];
}
