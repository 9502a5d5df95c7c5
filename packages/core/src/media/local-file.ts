/** A file on a local disk, possibly without a name. Its content does not change while it is read. */
export interface LocalFile {
  /** The size in bytes. */
  readonly size: number;
  /** @throws RangeError if the range exceeds the file */
  read(range: { readonly offset: number; readonly size: number }): Promise<Uint8Array>;
}

/** Reads a file in pieces of this size. The last piece may be smaller. */
export async function* piecesOf(file: LocalFile, bytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < file.size; offset += bytes) {
    yield await file.read({ offset, size: Math.min(bytes, file.size - offset) });
  }
}
