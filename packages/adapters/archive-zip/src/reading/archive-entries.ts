import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import type { LocalFile } from '@sightline/core/media/local-file';
import { readEntry, readWhole } from '../zip-reading/read-entry.ts';
import type { ZipEntry } from '../zip-reading/zip-entry.ts';
import type { z } from 'zod';
import { asArchiveError } from './as-archive-error.ts';
import { type LineSchema, readLines } from './read-lines.ts';

/** The files of an archive, by name. All methods throw ArchiveInvalid for a name that the archive does not contain. */
export class ArchiveEntries {
  readonly #file: LocalFile;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  readonly #signal: AbortSignal | undefined;

  constructor(
    file: LocalFile,
    entries: ReadonlyMap<string, ZipEntry>,
    signal: AbortSignal | undefined,
  ) {
    this.#file = file;
    this.#entries = entries;
    this.#signal = signal;
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  count(prefix: string): number {
    return [...this.#entries.keys()].filter((name) => name.startsWith(prefix)).length;
  }

  get(name: string): ZipEntry {
    this.#signal?.throwIfAborted();
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new ArchiveInvalid(name, 'is missing');
    return entry;
  }

  /** @throws ArchiveInvalid if the file's bytes differ from its declared size or checksum */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    try {
      yield* readEntry(this.#file, this.get(name));
    } catch (error) {
      throw asArchiveError(error);
    }
  }

  /** @throws ArchiveInvalid if the file is longer than `maxBytes`, or differs from its declared size or checksum */
  async readWhole(name: string, maxBytes: number): Promise<Uint8Array> {
    try {
      return await readWhole(this.#file, this.get(name), maxBytes);
    } catch (error) {
      throw asArchiveError(error);
    }
  }

  /** Reads part of an uncompressed file. The checksum of the file is not verified. */
  readPart(name: string, part: { readonly offset: number; readonly size: number }) {
    const offset = this.get(name).dataOffset + part.offset;
    return this.#file.read({ offset, size: part.size });
  }

  /** @throws ArchiveInvalid for a line that does not match the schema */
  async *lines<S extends z.ZodType>(
    name: string,
    schema: LineSchema<S>,
  ): AsyncGenerator<z.output<S>> {
    for await (const record of readLines(name, this.read(name), schema)) {
      this.#signal?.throwIfAborted();
      yield record;
    }
  }
}
