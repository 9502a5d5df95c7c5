import {
  exportLibrary,
  type ExportDeps,
  type ExportPart,
  type ExportRequest,
} from '@sightline/core/transfer/export-library';
import { writeArchive } from './write-archive.ts';

export interface WriteLibraryDeps extends Omit<ExportDeps, 'excluded' | 'identitiesExcluded'> {
  readonly logger: { readonly error: (fields: object, message: string) => void };
  /** The version of Sightline that writes the archive. */
  readonly version: string;
}

export interface WriteLibraryRequest extends ExportRequest {
  readonly createdAt: Date;
  /** Passes the parts on unchanged, so that the caller can observe how much has been written. */
  readonly watch?: (parts: AsyncIterable<ExportPart>) => AsyncIterable<ExportPart>;
}

/**
 * Streams an archive of the library, or of some identities. Logs the images and identities that the archive omits.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export function writeLibrary(
  { logger, version, ...deps }: WriteLibraryDeps,
  { createdAt, watch = (parts) => parts, ...request }: WriteLibraryRequest,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const excluded: ExportDeps['excluded'] = ({ id, mediaKey: key }) =>
    logger.error({ source_image_id: id, key }, 'omitted an image from an archive');
  const identitiesExcluded = (count: number) =>
    logger.error(
      { identities: count },
      'omitted identities from an archive, because it reached its size limit',
    );
  const parts = exportLibrary({ ...deps, excluded, identitiesExcluded }, request, signal);
  const isWhole = request.identityIds === null;
  return writeArchive(watch(parts), { createdAt, product: version, isWhole });
}
