import { Readable, type Transform } from 'node:stream';
import { constants, crc32, createDeflateRaw, createInflateRaw } from 'node:zlib';
import { isPackedTooTightly } from './zip-reading/packing-ratio.ts';

export interface ZipEntry {
  /** An ASCII path with `/` between folders. */
  readonly name: string;
  readonly method: 'stored' | 'deflated';
  /** The CRC-32 of the uncompressed file. */
  readonly crc: number;
  /** The uncompressed size in bytes. */
  readonly size: number;
  /** The bytes to write: compressed if the method is `deflated`. */
  readonly chunks: readonly Uint8Array[];
}

/** The approximate number of characters that are compressed in one step. */
const PIECE_LENGTH = 64 * 1024;

export function storedEntry(name: string, ...chunks: readonly Uint8Array[]): ZipEntry {
  const crc = chunks.reduce((sum, chunk) => crc32(chunk, sum), 0);
  return { name, method: 'stored', crc, size: bytesOf(chunks), chunks };
}

/**
 * Creates a file of these lines and adds a line feed to each. Node compresses the file on another thread. The
 * compression ratio stays below the limit above which readers refuse a file as a ZIP bomb.
 */
export async function linesEntry(name: string, lines: Iterable<string>): Promise<ZipEntry> {
  let crc = 0;
  let size = 0;
  const pieces = function* (): Generator<Buffer> {
    for (const text of joined(lines)) {
      const piece = Buffer.from(text);
      crc = crc32(piece, crc);
      size += piece.length;
      yield piece;
    }
  };
  const chunks = await through(pieces(), createDeflateRaw());
  const isTooTight = isPackedTooTightly({ size, packedSize: bytesOf(chunks) });
  const accepted = isTooTight ? await loosened(chunks) : chunks;
  return { name, method: 'deflated', crc, size, chunks: accepted };
}

/**
 * Decompresses the chunks, and compresses the bytes again with Huffman codes only. Each byte then takes at least one
 * bit, so the compression ratio is at most eight.
 */
async function loosened(chunks: readonly Buffer[]): Promise<readonly Buffer[]> {
  const strategy = constants.Z_HUFFMAN_ONLY;
  return through(chunks, createInflateRaw(), createDeflateRaw({ strategy }));
}

async function through(
  pieces: Iterable<Buffer>,
  ...steps: readonly Transform[]
): Promise<readonly Buffer[]> {
  const end = steps.reduce<Readable>(
    (source, step) => source.compose(step) as Readable,
    Readable.from(pieces),
  );
  return Array.fromAsync(end as AsyncIterable<Buffer>);
}

export function bytesOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

function* joined(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
