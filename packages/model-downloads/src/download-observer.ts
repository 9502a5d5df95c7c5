import type { ModelFile } from './model-file.ts';

export interface Download {
  readonly file: ModelFile;
  readonly source: string;
}

/**
 * Receives the progress of downloads. The methods must not throw. Files found in the cache are not
 * reported.
 */
export interface DownloadObserver {
  started(download: Download): void;
  /** @param received the number of bytes so far */
  progressed(download: Download, received: number): void;
  /** The file has been stored in the cache. */
  finished(download: Download): void;
  /** @param reason a clause that follows the source's name */
  failed(download: Download, reason: string): void;
}
