import { createHash } from 'node:crypto';
import { StoreUnavailable } from '../store/store-errors.ts';
import { digestOf } from './digest-of.ts';
import { discardFiles } from './discard-files.ts';
import { type LocalFile, piecesOf } from './local-file.ts';
import { mediaKey } from './media-key.ts';
import type { MediaStore } from './media-store.ts';
import { elapsedSince, type Moment, now } from './moment.ts';
import { LONGEST_UNTIL_ROW_MS } from './orphan-grace.ts';

/**
 * The files that a request uploads for a job. They are stored before the transaction that stores their keys.
 */
export class UploadFiles {
  readonly #media: Pick<MediaStore, 'put' | 'putFile' | 'remove'>;
  readonly #environmentId: number;
  readonly #keys: string[] = [];
  #since: Moment | null = null;

  constructor(media: Pick<MediaStore, 'put' | 'putFile' | 'remove'>, environmentId: number) {
    this.#media = media;
    this.#environmentId = environmentId;
  }

  /**
   * Stores a file and returns its key.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  async put(bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
    const content = { digest: digestOf(bytes), extension: 'bin' };
    const key = mediaKey(this.#environmentId, 'uploads', content);
    this.#since ??= now();
    this.#keys.push(key);
    await this.#media.put(key, bytes, signal);
    return key;
  }

  /**
   * Stores a copy of a local file of any size and returns its key.
   *
   * @throws StoreUnavailable; the errors of the file; the signal's reason on abort
   */
  async putFile(file: LocalFile, signal?: AbortSignal): Promise<string> {
    const content = { digest: await digestOfFile(file, signal), extension: 'bin' };
    const key = mediaKey(this.#environmentId, 'uploads', content);
    this.#keys.push(key);
    await this.#media.putFile(key, file, signal);
    // The age is counted from the end of the put, because a put of a large file may take long, and the file exists
    // only after it.
    this.#since ??= now();
    return key;
  }

  /**
   * @throws StoreUnavailable if the first file is so old that the worker may have collected it as an orphan
   */
  requireKept(): void {
    if (this.#since === null || elapsedSince(this.#since) <= LONGEST_UNTIL_ROW_MS) return;
    throw new StoreUnavailable('Storing the files took too long; try again.');
  }

  /** Removes all files after a rollback of the transaction. */
  discard(): Promise<void> {
    return discardFiles(this.#media, this.#keys);
  }
}

const PIECE_BYTES = 1024 ** 2;

async function digestOfFile(file: LocalFile, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(file, PIECE_BYTES)) {
    signal?.throwIfAborted();
    hash.update(piece);
  }
  return hash.digest('hex');
}
