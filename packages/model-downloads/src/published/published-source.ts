export interface OpeningRange {
  /** The first byte that is wanted. */
  readonly offset: number;
  /** What the source said of the file when the bytes before came; null: nothing. */
  readonly validator: string | null;
}

/** The rest of a file. */
export interface OpenedSource {
  /** Where the body begins: at the offset that was asked for, or at 0. */
  readonly start: number;
  /** Bytes of the whole file; null if the source does not tell. */
  readonly total: number | null;
  /** A text that differs when the file does; null if the source has none. */
  readonly validator: string | null;
  /** Returning early from it ends the transfer. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** A place that a published file is read from. */
export interface PublishedSource {
  /** Display name without secrets: of a URL only the host. */
  readonly name: string;
  /**
   * @throws SourceInterrupted if another try may succeed; SourceFailed if none will; the signal's reason on
   *   abort. So does reading the body.
   */
  open(range: OpeningRange, signal: AbortSignal): Promise<OpenedSource>;
}
