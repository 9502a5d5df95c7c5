import type { LocalFile } from '@sightline/core/media/local-file';
import { pipeline, Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import type { ZipEntry } from './zip-entry.ts';
import { ZipRefused } from './zip-errors.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads an entry, and stops if it unpacks to more bytes than its declared size.
 *
 * @throws ZipRefused if the bytes differ from the declared size or checksum; read errors of the archive's file
 */
export async function* readEntry(file: LocalFile, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let size = 0;
  let sum = 0;
  for await (const chunk of entry.isDeflated ? inflated(file, entry) : packed(file, entry)) {
    size += chunk.length;
    if (size > entry.size) break;
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (size !== entry.size || sum !== entry.crc32) throw damaged(entry);
}

/** @throws ZipRefused if the entry has more than `maxBytes` bytes, or differs from its declared size or checksum */
export async function readWhole(
  file: LocalFile,
  entry: ZipEntry,
  maxBytes: number,
): Promise<Uint8Array> {
  if (entry.size > maxBytes) {
    throw new ZipRefused(entry.name, `has more than ${maxBytes} bytes`);
  }
  if (!entry.isDeflated) return readStored(file, entry);
  const bytes = new Uint8Array(entry.size);
  let filled = 0;
  for await (const chunk of readEntry(file, entry)) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes;
}

/** Reads an uncompressed entry in one step, without a copy. */
async function readStored(file: LocalFile, entry: ZipEntry): Promise<Uint8Array> {
  const { dataOffset: offset, packedSize, size } = entry;
  if (packedSize !== size) throw damaged(entry);
  const bytes = await file.read({ offset, size });
  if (crc32(bytes) !== entry.crc32) throw damaged(entry);
  return bytes;
}

async function* packed(file: LocalFile, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const end = entry.dataOffset + entry.packedSize;
  for (let offset = entry.dataOffset; offset < end; offset += CHUNK_BYTES) {
    yield await file.read({ offset, size: Math.min(CHUNK_BYTES, end - offset) });
  }
}

async function* inflated(file: LocalFile, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw();
  // The callback ignores errors, because the loop below throws them too.
  pipeline(Readable.from(packed(file, entry)), inflate, () => undefined);
  try {
    for await (const chunk of inflate) yield chunk as Buffer;
  } catch (error) {
    throw isOfInflation(error) ? damaged(entry, error) : error;
  }
}

function isOfInflation(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && code.startsWith('Z_');
}

function damaged({ name }: ZipEntry, cause?: unknown): ZipRefused {
  return new ZipRefused(name, 'is damaged', { cause });
}
