/** A file in a ZIP archive, as the directory of the archive describes it. */
export interface ZipEntry {
  /** A path with `/` between its parts, and a character for each byte. */
  readonly name: string;
  /** The offset of the entry's local header in the archive. */
  readonly offset: number;
  readonly dataOffset: number;
  /** The size of the entry's data in the archive, in bytes. */
  readonly packedSize: number;
  /** The unpacked size in bytes. */
  readonly size: number;
  readonly crc32: number;
  readonly isDeflated: boolean;
}
