import type { NewIdentity } from '../identities/identity.ts';
import type { ImageToImport } from '../recognition/import/import-run.ts';
import type { LocalFile } from '../media/local-file.ts';

/** Reads archives from callers, and trusts none of them. */
export interface ArchiveReader {
  /**
   * Checks all of an archive and opens it. Its contents are then known to be consistent with each
   * other.
   *
   * @param maxBytes the most bytes that its files may have, unpacked
   * @throws NotAnArchive, ArchiveInvalid, ArchiveTooLarge; the errors of the file; the signal's
   *   reason
   */
  open(file: LocalFile, maxBytes: number, signal?: AbortSignal): Promise<ReadableArchive>;
}

/** An archive that was checked. */
export interface ReadableArchive {
  /** The models of its vectors, each once. */
  readonly models: readonly ArchivedModel[];
  /** The identities by their ids in the archive; no two have the same type and label. */
  readonly identities: ReadonlyMap<number, NewIdentity>;
  readonly imageCount: number;
  /**
   * The images of the archive, whose files are read on demand.
   *
   * @param modelIds the id of each model's row, by the model's id in the archive
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
