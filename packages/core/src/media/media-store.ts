import type { AnsweringStore } from '../store/answering-store.ts';
import type { ByteRange } from './byte-range.ts';
import type { LocalFile } from './local-file.ts';

/**
 * Stores files by key. Keys come from `mediaKey`; other keys cause a RangeError. No key is written twice, so a removal
 * never affects a file that another process has just written.
 *
 * All methods throw StoreUnavailable if no store is configured or the store fails, and the signal's reason on abort.
 */
export interface MediaStore extends AnsweringStore {
  /**
   * Stores an object atomically. Once the promise resolves, the object survives a crash.
   *
   * @throws StoreUnavailable also if the store is full
   */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;

  /**
   * Like {@link put}, for a local file of any size. The file is read piece by piece.
   *
   * @throws also the errors of the file
   */
  putFile(key: string, file: LocalFile, signal?: AbortSignal): Promise<void>;

  /**
   * Opens an object, or a range of it, for reading; null if the store does not have the object. The body throws the
   * errors of this method.
   *
   * @throws RangeError unless the bounds of the range are non-negative integers in ascending order
   */
  open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<MediaObject | null>;

  /** Removes objects. Missing objects are ignored. */
  remove(keys: readonly string[], signal?: AbortSignal): Promise<void>;

  /** Lists complete objects with a prefix of the key, in no particular order. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<MediaEntry>;

  /** The number of free bytes; null if the store does not report it. */
  freeBytes(signal?: AbortSignal): Promise<number | null>;

  /**
   * Checks the store for a health report. It throws the errors of `requireAnswer`, and also StoreUnavailable while
   * the last put has failed because the store is full. In that state, `requireAnswer` sometimes succeeds, so that a
   * put is tried, which shows whether the store has room again.
   */
  check(signal?: AbortSignal): Promise<void>;
}

export interface MediaObject {
  /** The size of the whole object, in bytes. */
  readonly size: number;
  /** The bytes of the requested range (see `boundsOf`). The caller has to read or cancel the stream. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface MediaEntry {
  readonly key: string;
  readonly size: number;
  /**
   * The time since the object was stored, in ms, at least 0. The store's clock measures it, because the clock of this
   * process may differ or may have been changed.
   */
  readonly ageMs: number;
}
