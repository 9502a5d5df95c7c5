import type { Download, DownloadObserver } from '@sightline/model-downloads/download-observer';
import type { ModelFile } from '@sightline/model-downloads/model-file';
import type { Logger } from '@sightline/platform/logging/logger';

const INTERVAL_MS = 5_000;

interface Running {
  readonly download: Download;
  readonly startedAt: number;
  received: number;
}

/**
 * Logs each download and, every five seconds, its progress. The progress also shows a download
 * whose source hangs.
 */
export class DownloadLog implements DownloadObserver, Disposable {
  readonly #logger: Logger;
  readonly #running = new Map<ModelFile, Running>();
  readonly #timer = setInterval(() => this.#logProgress(), INTERVAL_MS);

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  started(download: Download): void {
    this.#running.set(download.file, { download, startedAt: performance.now(), received: 0 });
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

  #logProgress(): void {
    for (const { download, startedAt, received } of this.#running.values()) {
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const state = { ...fields(download), received, seconds };
      this.#logger.info(state, 'still downloading a model file');
    }
  }

  #end({ file }: Download): number {
    const { startedAt } = this.#running.get(file)!;
    this.#running.delete(file);
    return performance.now() - startedAt;
  }
}

function fields({ file: { name, bytes }, source }: Download) {
  return { file: name, from: source, bytes };
}
