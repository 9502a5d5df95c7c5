/** A file in a ZIP archive, as the directory of the archive describes it. */
export interface ZipEntry {
  /** ASCII, with `/` between its parts. */
  readonly name: string;
  /** The offset of its local header in the archive. */
  readonly offset: number;
  /** The offset of its data. */
  readonly dataOffset: number;
  /** Bytes of its data in the archive. */
  readonly packedSize: number;
  /** Bytes of the file. */
  readonly size: number;
  readonly crc32: number;
  readonly isDeflated: boolean;
}
