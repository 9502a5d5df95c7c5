import type { Entry } from 'yauzl';
import { isPackedTooTightly, MAX_RATIO } from './packing-ratio.ts';
import { ZipRefused } from './zip-errors.ts';

/**
 * People pack archives inside folders like "Export (1)" and "Fotos März". The bytes beyond ASCII are letters in the
 * encoding of the packer.
 */
const PRINTABLE = /^[ -~\x80-\xff]+$/;
/** The characters that have a meaning in paths or patterns of some system. */
const RESERVED = /[\\:*?"<>|]/;
const MAX_NAME_LENGTH = 255;
/** The name of the archive's own folder. Some packers put it before each name. */
const HERE = './';

const STORED = 0;
const DEFLATED = 8;

/** The bits of the external attributes in which Unix programs store the file type. */
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;
const FOLDER = 0o040000;

/**
 * The entry's name, with a character for each byte. The files that the service looks for have names in ASCII; others
 * only have to be distinct.
 */
export function nameOf({ fileNameRaw }: Pick<Entry, 'fileNameRaw'>): string {
  return fileNameRaw.toString('latin1');
}

/** @throws ZipRefused if the entry could do harm, such as a link or a name outside the archive */
export function checkEntry(entry: Entry): void {
  const name = nameOf(entry);
  const problem = problemOfName(name) ?? problemOfKind(entry) ?? problemOfSize(entry);
  if (problem !== null) throw new ZipRefused(name, problem);
}

function problemOfName(name: string): string | null {
  const isPlain = name.length <= MAX_NAME_LENGTH && PRINTABLE.test(name) && !RESERVED.test(name);
  return isPlain && (name === HERE || isBelow(name))
    ? null
    : 'has a name that is not a plain relative path';
}

/** Whether a path stays below the archive's folder. The name of a folder ends with a slash. */
function isBelow(name: string): boolean {
  const path = name.startsWith(HERE) ? name.slice(HERE.length) : name;
  const parts = path.replace(/\/$/, '').split('/');
  return parts.every((part) => !['', '.', '..'].includes(part));
}

function problemOfKind(entry: Entry): string | null {
  if (entry.isEncrypted()) return 'is encrypted';
  if (![STORED, DEFLATED].includes(entry.compressionMethod)) {
    return 'is compressed by a method other than Deflate';
  }
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  return [0, REGULAR_FILE, FOLDER].includes(type) ? null : 'is a link or another special file';
}

function problemOfSize(entry: Entry): string | null {
  const { compressionMethod, compressedSize: packedSize, uncompressedSize: size } = entry;
  if (compressionMethod === STORED || !isPackedTooTightly({ size, packedSize })) return null;
  return `is compressed to less than 1/${MAX_RATIO} of its size`;
}
