/** A file in a ZIP archive, as the directory of the archive describes it. */
export interface ZipEntry {
  /** ASCII, with `/` between its parts. */
  readonly name: string;
  /** Where it begins in the archive: its local header. */
  readonly offset: number;
  /** Where its data begins. */
  readonly dataOffset: number;
  /** Bytes of its data in the archive. */
  readonly packedSize: number;
  /** Bytes of the file. */
  readonly size: number;
  readonly crc32: number;
  readonly isDeflated: boolean;
}
