/**
 * Files by key. Keys are those of {@link mediaKey}: no key is ever written twice, so that removing
 * one never takes away what somebody else has just written.
 */
export interface MediaStore {
  /**
   * Stores an object, whole or not at all; when this settles, it survives a crash.
   *
   * @throws StoreUnavailable if there is no space or no store; the signal's reason on abort
   */
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;

  /** Opens an object, or a range of it, for reading; null if there is none. */
  open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<MediaObject | null>;

  /** Removes objects; one that is not there is no error. */
  remove(keys: readonly string[], signal?: AbortSignal): Promise<void>;

  /** Objects whose key begins with the prefix, in no particular order, never one in the making. */
  list(prefix: string, signal?: AbortSignal): AsyncIterable<MediaEntry>;

  /** Bytes that are free for more; null where the store does not tell. */
  freeBytes(signal?: AbortSignal): Promise<number | null>;
}

/** The first and the last byte, both included, as in an HTTP range. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface MediaObject {
  /** Bytes of the whole object. */
  readonly size: number;
  /** The range that was asked for. Whoever opens an object reads or cancels this. */
  readonly body: ReadableStream<Uint8Array>;
}

export interface MediaEntry {
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: Date;
}
