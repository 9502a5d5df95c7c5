import type { Database } from '../database/database.ts';
import type { MediaStore } from '../media/media-store.ts';
import { ImageCorrupt } from '../sources/image-errors.ts';
import type { SourceImage } from '../sources/source-image.ts';
import { readStoredFile } from '../analysis/stored-file.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import type { ImagePlan } from './plan/image-plan.ts';

/**
 * Reads the file of a stored image.
 *
 * @throws NotFound if another request has deleted the image; ImageCorrupt if the file is missing or damaged;
 *   StoreUnavailable
 */
export async function readFileOf(
  { database, media }: { readonly database: Database; readonly media: Pick<MediaStore, 'open'> },
  { scope, source }: { readonly scope: Scope; readonly source: SourceImage },
  signal?: AbortSignal,
): Promise<Uint8Array> {
  try {
    return await readStoredFile(media, source, signal);
  } catch (error) {
    if (!(error instanceof ImageCorrupt)) throw error;
    const row = await database.withScope(scope, ({ sources }) => sources.byId(source.id), signal);
    throw row === null ? new NotFound('image', source.id) : error;
  }
}

/**
 * Checks that a plan is still for the same image. Another request may have deleted the image and posted its bytes
 * again, which creates a row with another id.
 *
 * @throws NotFound
 */
export function requireSource({ state }: ImagePlan, id: number): void {
  if (state.source?.id !== id) throw new NotFound('image', id);
}
