import type { Download, DownloadObserver } from '@sightline/model-downloads/download-observer';
import type { ModelFile } from '@sightline/model-downloads/model-file';
import type { Logger } from '@sightline/platform/logging/logger';

const INTERVAL_MS = 5_000;

interface Running {
  readonly download: Download;
  readonly begun: number;
  /** Bytes so far. */
  received: number;
}

/**
 * Logs each download, and its progress every five seconds until it ends, also if no data arrives: so the
 * log shows which source a start is waiting for.
 */
export class DownloadLog implements DownloadObserver, Disposable {
  readonly #logger: Logger;
  readonly #running = new Map<ModelFile, Running>();
  readonly #timer = setInterval(() => this.#tell(), INTERVAL_MS);

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  started(download: Download): void {
    this.#running.set(download.file, { download, begun: performance.now(), received: 0 });
    this.#logger.info(fields(download), 'downloading a model file');
  }

  progressed({ file }: Download, received: number): void {
    this.#running.get(file)!.received = received;
  }

  finished(download: Download): void {
    const milliseconds = Math.round(this.#end(download));
    this.#logger.info({ ...fields(download), milliseconds }, 'downloaded a model file');
  }

  failed(download: Download, reason: string): void {
    this.#end(download);
    this.#logger.info(
      { ...fields(download), reason },
      'could not download a model file from this source',
    );
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tell(): void {
    for (const { download, begun, received } of this.#running.values()) {
      const seconds = Math.round((performance.now() - begun) / 1000);
      const state = { ...fields(download), received, seconds };
      this.#logger.info(state, 'still downloading a model file');
    }
  }

  /** Returns the duration in ms. */
  #end({ file }: Download): number {
    const { begun } = this.#running.get(file)!;
    this.#running.delete(file);
    return performance.now() - begun;
  }
}

function fields({ file: { name, bytes }, source }: Download) {
  return { file: name, from: source, bytes };
}
