/** A file in a ZIP archive, as the directory of the archive describes it. */
export interface ZipEntry {
  /** An ASCII path with `/` between its parts. */
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
