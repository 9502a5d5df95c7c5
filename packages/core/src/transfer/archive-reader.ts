import type { NewIdentity } from '../identities/identity.ts';
import type { ImageToImport } from '../recognition/import/import-run.ts';
import type { LocalFile } from '../media/local-file.ts';

/** Reads archives from clients, which may be hostile. */
export interface ArchiveReader {
  /**
   * Checks the whole archive, including that its entries are consistent with each other, and opens it.
   *
   * @param maxBytes the most bytes of all unpacked files together
   * @throws NotAnArchive, ArchiveInvalid, ArchiveTooLarge; the errors of the file; the signal's reason
   */
  open(file: LocalFile, maxBytes: number, signal?: AbortSignal): Promise<ReadableArchive>;
}

/** An archive that was checked. */
export interface ReadableArchive {
  /** The models of which the archive has vectors. */
  readonly models: readonly ArchivedModel[];
  /** The identities by their ids in the archive. Type and label are unique. */
  readonly identities: ReadonlyMap<number, NewIdentity>;
  readonly imageCount: number;
  /**
   * Yields the images of the archive, with the archive's ids of models. Their files are read on demand.
   */
  images(): AsyncIterable<ImageToImport>;
}

export interface ArchivedModel {
  /** The id that the model has in the archive. */
  readonly id: number;
  readonly name: string;
  /** The SHA-256 in hex over the model's components and their preprocessing. */
  readonly revision: string;
  readonly embeddingDim: number;
}
