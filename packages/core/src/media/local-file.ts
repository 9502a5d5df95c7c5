/** A file on a local disk, maybe without a name. It stays as it is while it is read. */
export interface LocalFile {
  /** Bytes. */
  readonly size: number;
  /**
   * Reads a part.
   *
   * @throws RangeError for one that lies outside of the file
   */
  read(range: { readonly offset: number; readonly size: number }): Promise<Uint8Array>;
}

/** The bytes of a file in pieces of this size, the last of which may be smaller. */
export async function* piecesOf(file: LocalFile, bytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < file.size; offset += bytes) {
    yield await file.read({ offset, size: Math.min(bytes, file.size - offset) });
  }
}
