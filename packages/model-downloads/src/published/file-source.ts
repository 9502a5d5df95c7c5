import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import type { FetchFailureReason } from '@sightline/core/models/model-source';
import { SourceFailed } from '../source-failed.ts';
import type { OpenedSource, OpeningRange, PublishedSource } from './published-source.ts';

/** A local file in the folder from which the installation allows models. */
export class FileSource implements PublishedSource {
  readonly name = 'The file';
  readonly #path: string;
  readonly #folder: string | null;

  /** @param folder the only folder from which files may be read; null if no file may be read */
  constructor(path: string, folder: string | null) {
    this.#path = path;
    this.#folder = folder;
  }

  async open({ offset, validator }: OpeningRange, signal: AbortSignal): Promise<OpenedSource> {
    const path = await this.#allowedPath();
    const stats = await onFile(() => stat(path));
    if (!stats.isFile()) throw new SourceFailed('is not a regular file', { reason: 'not_found' });
    const found = `${stats.ino}-${stats.size}-${stats.mtimeMs}`;
    const start = found === validator && offset <= stats.size ? offset : 0;
    return { start, total: stats.size, validator: found, body: readFrom(path, start, signal) };
  }

  /** Resolves links before the check, because a link might lead out of the folder. */
  async #allowedPath(): Promise<string> {
    if (this.#folder === null) throw notAllowed();
    const folder = await realpath(this.#folder).catch(() => {
      throw notAllowed();
    });
    const path = await onFile(() => realpath(this.#path));
    if (!path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) throw notAllowed();
    return path;
  }
}

function notAllowed(): SourceFailed {
  return new SourceFailed('is not in the folder that SIGHTLINE_MODEL_FILES names', {
    reason: 'access_denied',
  });
}

async function* readFrom(
  path: string,
  start: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { start, signal })) yield chunk as Buffer;
  } catch (error) {
    signal.throwIfAborted();
    throw asSourceFailed(error);
  }
}

async function onFile<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw asSourceFailed(error);
  }
}

function asSourceFailed(cause: unknown): SourceFailed {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  return new SourceFailed(`cannot be read (${code})`, { cause, reason: reasonOf(code) });
}

function reasonOf(code: string): FetchFailureReason {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'not_found';
  return code === 'EACCES' || code === 'EPERM' ? 'access_denied' : 'source_unreachable';
}
