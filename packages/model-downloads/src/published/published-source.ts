export interface OpeningRange {
  /** The first byte to read. */
  readonly offset: number;
  /** The validator that the source sent with the bytes before the offset; null if it sent none. */
  readonly validator: string | null;
}

/** The rest of a file. */
export interface OpenedSource {
  /** The offset at which the body begins: the requested one, or 0. */
  readonly start: number;
  /** Bytes of the whole file; null if the source does not state it. */
  readonly total: number | null;
  /** A text that changes with the file; null if the source has none. */
  readonly validator: string | null;
  /** Ending the iteration early ends the transfer. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A place from which a published file can be read. */
export interface PublishedSource {
  /** Display name without secrets: of a URL only the host. */
  readonly name: string;
  /**
   * Opens the file. Both this call and reading the body throw the same errors.
   *
   * @throws SourceInterrupted if another try may succeed; SourceFailed if none will; the signal's
   *   reason on abort
   */
  open(range: OpeningRange, signal: AbortSignal): Promise<OpenedSource>;
}
