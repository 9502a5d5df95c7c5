import { bytesOf, type ZipEntry } from './zip-entry.ts';
import { commonFields, ZipDirectory } from './zip-directory.ts';
import { writeFields } from './zip-fields.ts';

const LOCAL_HEADER = 0x04034b50;
/** Files smaller than this are yielded together with their header, because each chunk costs the reader a write. */
const ONE_PIECE_BYTES = 64 * 1024;

/**
 * Streams a ZIP. The next entry is requested only after the reader has taken all bytes of the previous entry. ZIP64
 * fields appear only for numbers that need them.
 *
 * @param modified the modification time of all files
 */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry>,
  modified: Date,
): AsyncGenerator<Uint8Array> {
  const directory = new ZipDirectory(modified);
  let offset = 0;
  for await (const entry of entries) {
    directory.add(entry, offset);
    const header = localHeader(entry, modified);
    const packed = bytesOf(entry.chunks);
    offset += header.length + packed;
    if (packed < ONE_PIECE_BYTES) {
      yield Buffer.concat([header, ...entry.chunks]);
    } else {
      yield header;
      yield* entry.chunks;
    }
  }
  yield* directory.chunks(offset);
}

function localHeader(entry: ZipEntry, modified: Date): Buffer {
  return Buffer.concat([
    writeFields([4, LOCAL_HEADER]),
    commonFields(entry, { isFar: false, modified }),
    writeFields([2, 0]),
    Buffer.from(entry.name, 'latin1'),
  ]);
}
