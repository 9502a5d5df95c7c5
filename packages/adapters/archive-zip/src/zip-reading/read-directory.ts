import type { LocalFile } from '@sightline/core/media/local-file';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkEntry, nameOf } from './check-entry.ts';
import { FileBlocks } from './file-blocks.ts';
import type { ZipEntry } from './zip-entry.ts';
import { NotAZip, ZipRefused, ZipTooLarge } from './zip-errors.ts';
import { ZipFileReader } from './zip-file-reader.ts';

/** The signatures with which a ZIP begins: a local header, or the end record of an empty archive. */
const FIRST_BYTES = ['504b0304', '504b0506'];

const LOCAL_HEADER_BYTES = 30;
const LOCAL_HEADER = 0x04034b50;

/** The number of entries after which other work of the process gets its turn. */
const ENTRIES_PER_TURN = 1000;

/** The approximate memory for one entry of the list and its name, in bytes. */
const ENTRY_BYTES = 512;

export interface ZipLimits {
  /** The maximum unpacked size of all files together, in bytes. */
  readonly maxBytes: number;
  readonly maxEntries: number;
  /**
   * Announces the memory, in bytes, that the list of entries will take. An error from this function refuses the
   * archive.
   */
  readonly reserve?: (bytes: number) => void;
}

/** An entry as the directory describes it. Only its local header tells where its data begins. */
export type ListedEntry = Omit<ZipEntry, 'dataOffset'>;

/**
 * Reads the directory of a ZIP and makes all checks that need no file data: names, kinds, total size, and that no two
 * entries overlap. The result omits folders.
 *
 * @returns the entries by name
 * @throws NotAZip; ZipRefused; ZipTooLarge; errors of the file and of `reserve`
 */
export async function readDirectory(
  file: LocalFile,
  limits: ZipLimits,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ZipEntry>> {
  const located = await locateEntries(file, await listEntries(file, limits, signal), signal);
  return new Map(located.map((entry) => [entry.name, entry]));
}

/**
 * Reads the directory of a ZIP and checks names, kinds and the total size. The result omits folders.
 *
 * @throws NotAZip; ZipRefused; ZipTooLarge; errors of the file and of `reserve`
 */
export async function listEntries(
  file: LocalFile,
  { maxBytes, maxEntries, reserve }: ZipLimits,
  signal?: AbortSignal,
): Promise<readonly ListedEntry[]> {
  if (!(await beginsAsZip(file))) throw new NotAZip();
  const reader = new ZipFileReader(file);
  const refused = (error: unknown): never => {
    throw reader.failure?.cause ?? asRefusal(error, signal);
  };
  const options = { decodeStrings: false } as const;
  const zip = await fromRandomAccessReaderPromise(reader, file.size, options).catch(refused);
  if (zip.entryCount > maxEntries) throw new ZipRefused(null, 'has too many entries');
  reserve?.(zip.entryCount * ENTRY_BYTES);
  return listAll(zip, maxBytes, signal).catch(refused);
}

/**
 * Finds the data of entries. Their headers are read in the order of their offsets, so that the disk reads forward.
 *
 * @returns the entries, in the order of their offsets
 * @throws ZipRefused, also if two entries overlap; errors of the file
 */
export async function locateEntries(
  file: LocalFile,
  listed: readonly ListedEntry[],
  signal?: AbortSignal,
): Promise<readonly ZipEntry[]> {
  const blocks = new FileBlocks(file);
  const entries: ZipEntry[] = [];
  for (const entry of listed.toSorted((a, b) => a.offset - b.offset)) {
    if (entries.length % ENTRIES_PER_TURN === 0) await turn(signal);
    entries.push({ ...entry, dataOffset: await findData(blocks, entry) });
  }
  checkApart(entries);
  return entries;
}

/** Lets other work of the process run, because reads of a block that is in memory do not. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

async function beginsAsZip(file: LocalFile): Promise<boolean> {
  if (file.size < 4) return false;
  const bytes = await file.read({ offset: 0, size: 4 });
  return FIRST_BYTES.includes(Buffer.from(bytes).toString('hex'));
}

async function listAll(
  zip: ZipFile,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<ListedEntry[]> {
  const entries = new Map<string, ListedEntry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    if (entries.size % ENTRIES_PER_TURN === 0) await turn(signal);
    checkEntry(entry);
    const listed = toListed(entry);
    if (entries.has(listed.name)) throw new ZipRefused(listed.name, 'occurs twice');
    bytes += listed.size;
    if (bytes > maxBytes) throw new ZipTooLarge(maxBytes);
    entries.set(listed.name, listed);
  }
  return [...entries.values()].filter(({ name }) => !name.endsWith('/'));
}

function toListed(entry: Entry): ListedEntry {
  const { compressedSize, uncompressedSize, crc32, compressionMethod } = entry;
  return {
    name: nameOf(entry),
    offset: entry.relativeOffsetOfLocalHeader,
    packedSize: compressedSize,
    size: uncompressedSize,
    crc32,
    isDeflated: compressionMethod !== 0,
  };
}

function asRefusal(error: unknown, signal?: AbortSignal): unknown {
  const isOurs = error instanceof ZipRefused || error instanceof ZipTooLarge;
  if (isOurs || signal?.aborted === true) return error;
  // Errors of yauzl describe the fault in terms of the ZIP format, so they become only the cause.
  return new ZipRefused(null, 'is cut off or damaged', { cause: error });
}

/**
 * Finds the offset of an entry's data. The data follows the local header, whose length only the header itself states.
 */
async function findData(blocks: FileBlocks, entry: ListedEntry): Promise<number> {
  const { name, offset, packedSize } = entry;
  const headerBytes = LOCAL_HEADER_BYTES + name.length;
  if (offset + headerBytes > blocks.size) throw cutOff(name);
  const header = await blocks.at(offset, headerBytes);
  const isOf =
    header.readUInt32LE(0) === LOCAL_HEADER &&
    header.readUInt16LE(26) === name.length &&
    header.toString('latin1', LOCAL_HEADER_BYTES) === name;
  if (!isOf) throw new ZipRefused(name, 'is not where the directory says');
  const dataOffset = offset + headerBytes + header.readUInt16LE(28);
  if (dataOffset + packedSize > blocks.size) throw cutOff(name);
  return dataOffset;
}

function cutOff(name: string): ZipRefused {
  return new ZipRefused(name, 'is cut off');
}

/** @param entries in ascending order of their offsets */
function checkApart(entries: readonly ZipEntry[]): void {
  let end = 0;
  for (const { name, offset, dataOffset, packedSize } of entries) {
    if (offset < end) throw new ZipRefused(name, 'overlaps another entry');
    end = dataOffset + packedSize;
  }
}
