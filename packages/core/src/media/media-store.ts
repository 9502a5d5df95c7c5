import type { AnsweringStore } from '../store/answering-store.ts';
import type { ByteRange } from './byte-range.ts';
import type { LocalFile } from './local-file.ts';

/**
 * Stores files by key. Keys come from `mediaKey`; any other is a RangeError. No key is ever written
 * twice, so a removal never affects a file that another process has just written.
 *
 * Every method throws StoreUnavailable if there is no store or it fails, and the signal's reason on
 * abort.
 */
export interface MediaStore extends AnsweringStore {
  /**
   * Stores an object, whole or not at all. Once the promise resolves, the object survives a crash.
   *
   * @throws StoreUnavailable also if there is no space
   */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;

  /**
   * Stores a copy of a local file of any size, which is read piece by piece. Otherwise the same as
   * {@link put}.
   *
   * @throws the errors of the file
   */
  putFile(key: string, file: LocalFile, signal?: AbortSignal): Promise<void>;

  /**
   * Opens an object, or a range of it, for reading; null if there is none. Reading the body fails
   * like this method does.
   *
   * @throws RangeError for a range whose bounds are not whole numbers in order, from 0 on
   */
  open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<MediaObject | null>;

  /** Removes objects; one that is not there is no error. */
  remove(keys: readonly string[], signal?: AbortSignal): Promise<void>;

  /** Objects whose key begins with the prefix, in no particular order, never an unfinished one. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<MediaEntry>;

  /** Bytes that are free for more; null if the store does not report it. */
  freeBytes(signal?: AbortSignal): Promise<number | null>;

  /**
   * Checks the store for a health report. Throws what `requireAnswer` throws. It also throws as
   * long as the store refused the last put because it is full; `requireAnswer` then lets a put
   * through now and then.
   */
  check(signal?: AbortSignal): Promise<void>;
}

export interface MediaObject {
  /** Bytes of the whole object. */
  readonly size: number;
  /** The requested range (`boundsOf`), empty behind the end. The caller reads or cancels it. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface MediaEntry {
  readonly key: string;
  readonly size: number;
  /**
   * The time since the object was stored, in ms, at least 0. It is measured by the store's clock,
   * because the clock of this process may differ from it, or may have been set since.
   */
  readonly ageMs: number;
}
