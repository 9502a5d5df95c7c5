/** An archive on a local disk. It stays as it is while it is read. */
export interface ArchiveFile {
  /** Bytes. */
  readonly size: number;
  /**
   * Reads a part.
   *
   * @throws RangeError for one that lies outside of the file
   */
  read(range: { readonly offset: number; readonly size: number }): Promise<Uint8Array>;
}
