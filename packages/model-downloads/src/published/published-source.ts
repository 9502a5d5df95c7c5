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
  /** The size of the whole file in bytes; null if the source does not state it. */
  readonly total: number | null;
  /** A text that changes with the file, such as an ETag; null if the source sends none. */
  readonly validator: string | null;
  /** The bytes. Ending the iteration early ends the transfer. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface PublishedSource {
  /** The display name. Of a URL it contains only the host, because a path may contain secrets. */
  readonly name: string;
  /**
   * Opens the file. The body throws the same errors as this method.
   *
   * @throws SourceInterrupted if another try may succeed; SourceFailed if none will; the signal's
   *   reason on abort
   */
  open(range: OpeningRange, signal: AbortSignal): Promise<OpenedSource>;
}
