import type { ModelFile } from './model-file.ts';

/** A file that is being got from a source. */
export interface Download {
  readonly file: ModelFile;
  /** The source as people know it. */
  readonly source: string;
}

/** Told what happens to downloads; the methods must not throw. What the cache has is none. */
export interface DownloadObserver {
  started(download: Download): void;
  /** @param received bytes so far */
  progressed(download: Download, received: number): void;
  /** The file is in the cache. */
  finished(download: Download): void;
  /** @param reason a clause that follows the source's name */
  failed(download: Download, reason: string): void;
}
