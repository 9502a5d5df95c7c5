import { createHash } from 'node:crypto';
import { backoffMs } from '@sightline/core/backoff';
import type { PublishedFile } from '@sightline/core/models/model-source';
import { BodyPace, type PaceLimits, type Slowness } from '@sightline/platform/http/body-pace';
import type { CacheFolder } from '../cache-folder.ts';
import { SourceFailed } from '../source-failed.ts';
import { PartialFile } from './partial-file.ts';
import type { OpenedSource, PublishedSource } from './published-source.ts';
import { SourceInterrupted } from './source-interrupted.ts';

/** The limits of a download. They also apply to the wait for a source's answer. */
export interface DownloadLimits extends PaceLimits {
  /** The largest size of one file. */
  readonly maxBytes: number;
  /** The number of tries in a row without progress after which a download fails. */
  readonly tries: number;
  /** The pause after the first failure, in ms; it doubles with each further one. */
  readonly pauseMs: number;
}

export const DOWNLOAD_LIMITS: DownloadLimits = {
  silenceMs: 30_000,
  // A source below this rate is cut off after a minute. It has then sent less than PROGRESS_BYTES, so the try counts
  // as one without progress.
  averageAfterMs: 60_000,
  leastAverage: 16 * 1024,
  // onnxruntime reads no larger file.
  maxBytes: 2 ** 31 - 1,
  tries: 5,
  pauseMs: 1_000,
};

export interface DownloadDeps {
  readonly cache: CacheFolder;
  readonly source: PublishedSource;
  readonly limits: DownloadLimits;
  /** @throws if the disk of the cache has less free space than this, in bytes */
  readonly requireRoom: (bytes: number) => Promise<void>;
  /** Waits for a time in ms; rejects on abort. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onProgress: (progress: FileProgress) => void;
  readonly signal: AbortSignal;
}

export interface FileProgress {
  /** The number of bytes so far; it falls if the download has to start again. */
  readonly received: number;
  readonly total: number | null;
}

/** A complete file on this machine. The caller removes it when it is no longer needed. */
export interface DownloadedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly remove: () => Promise<void>;
}

const DIGEST_MISMATCH = { reason: 'digest_mismatch' } as const;
const MAX_PAUSE_MS = 30_000;

/** The least progress in bytes that resets the count of failures. A source that sends one byte per try thus fails. */
const PROGRESS_BYTES = 1024 ** 2;

/** The number of bytes after which free space is checked again if the size of a file is unknown. */
const ROOM_STEP_BYTES = 32 * 1024 ** 2;

/**
 * Downloads a published file, and resumes where the last try or a previous process ended.
 *
 * @throws SourceFailed if the source cannot or does not provide this file; CacheUnusable; the
 *   errors of `requireRoom`; the signal's reason on abort
 */
export async function downloadFile(
  file: PublishedFile,
  deps: DownloadDeps,
): Promise<DownloadedFile> {
  const { cache } = deps;
  const path = await cache.partialPath(idOf(file));
  await using partial = await PartialFile.open({ path, cache: cache.path });
  const sha256 = await new FileDownload(file, partial, deps).run();
  return { path, sha256, bytes: partial.size, remove: () => partial.remove() };
}

/** The id contains the digest, because a newly declared digest may mean another file at the address. */
function idOf({ address, sha256 }: PublishedFile): string {
  return createHash('sha256').update(`${address}\n${sha256}`).digest('hex').slice(0, 32);
}

class FileDownload {
  readonly #file: PublishedFile;
  readonly #partial: PartialFile;
  readonly #deps: DownloadDeps;

  constructor(file: PublishedFile, partial: PartialFile, deps: DownloadDeps) {
    this.#file = file;
    this.#partial = partial;
    this.#deps = deps;
  }

  /** @returns the digest */
  async run(): Promise<string> {
    const { limits, pause, signal } = this.#deps;
    let furthest = this.#partial.size;
    for (let failures = 0; ;) {
      try {
        return await this.#tryOnce();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof SourceInterrupted)) throw error;
        const { size } = this.#partial;
        failures = size >= furthest + PROGRESS_BYTES ? 1 : failures + 1;
        furthest = Math.max(furthest, size);
        if (failures >= limits.tries) throw error;
        if (error.isChanged) await this.#forget();
        await pause(
          error.retryAfterMs ??
            backoffMs(failures, { firstMs: limits.pauseMs, longestMs: MAX_PAUSE_MS }),
          signal,
        );
      }
    }
  }

  async #tryOnce(): Promise<string> {
    const { size, note } = this.#partial;
    const isResumed = size > 0;
    if (!isResumed || size !== note?.total) await this.#receive();
    return this.#verify(isResumed);
  }

  async #receive(): Promise<void> {
    const { source, limits, signal } = this.#deps;
    const slow = new AbortController();
    const giveUp = (slowness: Slowness): void => slow.abort(tooSlow(slowness, limits));
    using answer = new BodyPace(limits, giveUp);
    using body = new BodyPace(limits, giveUp);
    try {
      answer.wait();
      const opened = await source.open(this.#range(), AbortSignal.any([signal, slow.signal]));
      answer.pause();
      await this.#prepare(opened);
      await this.#append(opened, body);
    } catch (error) {
      signal.throwIfAborted();
      slow.signal.throwIfAborted();
      throw error;
    }
  }

  /** Resumes only if a digest or a validator can prove that the rest belongs to the same file. */
  #range() {
    const { size, note } = this.#partial;
    const validator = note?.validator ?? null;
    const isKnown = validator !== null || this.#file.sha256 !== null;
    return { offset: isKnown ? size : 0, validator };
  }

  async #prepare({ start, total, validator }: OpenedSource): Promise<void> {
    const { limits, requireRoom } = this.#deps;
    const { bytes } = this.#file;
    if (total !== null) {
      if (bytes !== null && total !== bytes) {
        throw new SourceFailed(`announced ${total} bytes instead of ${bytes}`, DIGEST_MISMATCH);
      }
      if (total > limits.maxBytes) throw tooLarge(limits.maxBytes);
    }
    await requireRoom((total ?? bytes ?? start) - start);
    if (start === 0) await this.#partial.restart({ validator, total });
  }

  async #append({ total, body }: OpenedSource, pace: BodyPace): Promise<void> {
    const { limits, onProgress, requireRoom } = this.#deps;
    const partial = this.#partial;
    const most = Math.min(total ?? this.#file.bytes ?? limits.maxBytes, limits.maxBytes);
    let roomUpTo = partial.size + ROOM_STEP_BYTES;
    pace.wait();
    for await (const chunk of body) {
      pace.received(chunk.length);
      pace.pause();
      if (partial.size + chunk.length > most) throw await this.#refuseMore(most);
      await partial.append(chunk);
      onProgress({ received: partial.size, total: total ?? this.#file.bytes });
      if (partial.size >= roomUpTo) {
        roomUpTo += ROOM_STEP_BYTES;
        await requireRoom(0);
      }
      pace.wait();
    }
    if (total !== null && partial.size < total) {
      throw new SourceInterrupted(`closed the connection after ${partial.size} of ${total} bytes`);
    }
  }

  async #refuseMore(most: number): Promise<SourceFailed> {
    const { maxBytes } = this.#deps.limits;
    await this.#forget();
    return most === maxBytes
      ? tooLarge(maxBytes)
      : new SourceFailed(`provided more than ${most} bytes`, DIGEST_MISMATCH);
  }

  async #verify(isResumed: boolean): Promise<string> {
    const { sha256: expected, bytes } = this.#file;
    const { size } = this.#partial;
    const digest = await this.#partial.digest();
    const problem = problemOf({ digest, size }, { digest: expected, size: bytes });
    if (problem === null && digest !== null) return digest;
    await this.#forget();
    // If the download was resumed, the first bytes may be those of another version of the file. If the digest is
    // unknown, another process wrote to the file. In both cases, a new try may succeed.
    const Failure = isResumed || digest === null ? SourceInterrupted : SourceFailed;
    throw new Failure(
      problem ?? 'was downloaded by two processes at the same time',
      DIGEST_MISMATCH,
    );
  }

  #forget(): Promise<void> {
    return this.#partial.restart({ validator: null, total: null });
  }
}

function problemOf(
  found: { readonly digest: string | null; readonly size: number },
  expected: { readonly digest: string | null; readonly size: number | null },
): string | null {
  if (expected.size !== null && found.size !== expected.size) {
    return `provided ${found.size} bytes instead of ${expected.size}`;
  }
  if (found.digest === null || expected.digest === null || found.digest === expected.digest) {
    return null;
  }
  return `provided a file with the digest ${found.digest} instead of ${expected.digest}`;
}

function tooSlow(slowness: Slowness, { silenceMs, leastAverage }: PaceLimits): SourceInterrupted {
  return new SourceInterrupted(
    slowness === 'silence'
      ? `sent no data for ${silenceMs / 1000} s`
      : `sent less than ${leastAverage} bytes a second`,
  );
}

function tooLarge(maxBytes: number): SourceFailed {
  return new SourceFailed(`has more than ${maxBytes} bytes`, { reason: 'too_large' });
}
