import type { NewIdentity } from '../identities/identity.ts';
import type { ImageToImport } from '../recognition/import/import-run.ts';
import type { LocalFile } from '../media/local-file.ts';

/** Reads archives that callers hand in: none of them is trusted. */
export interface ArchiveReader {
  /**
   * Opens an archive after it has checked all of it: what it has is sound in itself.
   *
   * @param maxBytes of its files, unpacked
   * @throws NotAnArchive, ArchiveInvalid, ArchiveTooLarge; the errors of the file; the signal's reason
   */
  open(file: LocalFile, maxBytes: number, signal?: AbortSignal): Promise<ReadableArchive>;
}

/** An archive that was checked. */
export interface ReadableArchive {
  /** The models of its vectors, each once. */
  readonly models: readonly ArchivedModel[];
  /** By their ids in the archive; no two with the same type and label. */
  readonly identities: ReadonlyMap<number, NewIdentity>;
  readonly imageCount: number;
  /**
   * Its images, whose files are read when they are asked for.
   *
   * @param modelIds of the rows, by those in the archive
   */
  images(modelIds: ReadonlyMap<number, number>): AsyncIterable<ImageToImport>;
}

/** A model by the id that it has in an archive. */
export interface ArchivedModel {
  readonly id: number;
  readonly name: string;
  /** SHA-256 (hex) over its components and their preprocessing. */
  readonly revision: string;
  /** Length of its vectors. */
  readonly embeddingDim: number;
}
