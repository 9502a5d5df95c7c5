import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import type { Size } from '../math/resize-bilinear.ts';

interface Content {
  readonly start: number;
  readonly end: number;
}

/** A position in the file, from which numbers are read one after another. */
interface Cursor {
  readonly view: DataView;
  at: number;
}

interface ItemFormat {
  readonly version: number;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
  readonly baseBytes: number;
  readonly indexBytes: number;
}

const META = 0x6d657461;
const ILOC = 0x696c6f63;
/** The boxes on the way from the meta box to the properties of items, and the box of an image's size. */
const IPRP = 0x69707270;
const IPCO = 0x6970636f;
const ISPE = 0x69737065;
const IINF = 0x69696e66;
const INFE = 0x696e6665;
/** The type of an image that is made of other images, laid over each other. */
const OVERLAY = 'iovl';
/** The type of the item that has the EXIF data. */
const EXIF = 'Exif';
const BOX_HEADER_BYTES = 8;
/** The bytes of version and flags at the start of a full box. */
const FULL_BOX_BYTES = 4;
/** The most items whose types and sizes are read. A grid of the largest images has fewer. */
const MAX_ITEMS = 10_000;
/** The bytes of an item's index of protection, behind its id. */
const PROTECTION_BYTES = 2;
/** The construction method of data that is at an offset in the file, outside of any `meta` box. */
const IN_FILE = 0;

/**
 * Returns the offset behind the last byte of any item (image or metadata) whose data is at an
 * offset in the file (`iloc`, ISO/IEC 14496-12, 8.11.3). The offset exceeds the length of a
 * truncated file, and is 0 if there are no items.
 *
 * @throws ImageCorrupt if the list of items is incomplete
 */
export function endOfItems(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const meta = findBox(view, META, { start: 0, end: view.byteLength });
  if (meta === undefined) return 0;
  const iloc = findBox(view, ILOC, { start: meta.start + FULL_BOX_BYTES, end: meta.end });
  if (iloc === undefined) return 0;
  try {
    return endOfLocations({ view, at: iloc.start });
  } catch (cause) {
    throw new ImageCorrupt('The image is damaged or incomplete.', {}, { cause });
  }
}

/**
 * Returns the sizes in pixels that the properties of the items declare (`ispe`, ISO/IEC 23008-12, 6.5.3): those of the
 * image before it is cropped, of the tiles of a grid, and of thumbnails. A list that is cut off ends early.
 *
 * @throws ImageTooLarge for a list that is too long to be read to its end
 */
export function declaredSizes(bytes: Uint8Array): Size[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const meta = findBox(view, META, { start: 0, end: view.byteLength });
  const iprp = meta && findBox(view, IPRP, { start: meta.start + FULL_BOX_BYTES, end: meta.end });
  const ipco = iprp && findBox(view, IPCO, iprp);
  const sizes: Size[] = [];
  for (let rest = ipco; rest !== undefined && sizes.length < MAX_ITEMS;) {
    const ispe = findBox(view, ISPE, rest);
    if (ispe === undefined || ispe.start + FULL_BOX_BYTES + 8 > view.byteLength) break;
    const at = ispe.start + FULL_BOX_BYTES;
    sizes.push({ width: view.getUint32(at), height: view.getUint32(at + 4) });
    rest = { start: ispe.end, end: rest.end };
  }
  if (sizes.length === MAX_ITEMS) throw tooManyItems();
  return sizes;
}

/**
 * Returns the four-letter types of the items in the order of the list of items (`iinf`, ISO/IEC 14496-12, 8.11.6).
 * The type of an image is that of its codec or of its derivation, such as `grid`. A list that is cut off
 * ends early.
 */
export function itemTypes(bytes: Uint8Array): string[] {
  return listItems(bytes).map(({ type }) => type);
}

/**
 * Refuses a file with overlays. A decoder decodes an image as often as it is laid over others, so that a small file could
 * take hours.
 *
 * @throws UnsupportedFormat; ImageTooLarge for a list that is too long to be read to its end
 */
export function refuseOverlays(types: readonly string[]): void {
  if (types.length === MAX_ITEMS) throw tooManyItems();
  if (!types.includes(OVERLAY)) return;
  throw new UnsupportedFormat('HEIF images that consist of overlays are not supported.');
}

/**
 * Returns the EXIF data of the image, or null if there is none at an offset in the file. The item begins with the
 * number of bytes before the data (ISO/IEC 23008-12, annex A.2.1).
 */
export function exifItem(bytes: Uint8Array): Uint8Array | null {
  const item = listItems(bytes).find(({ type }) => type === EXIF);
  if (item === undefined) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = locationOf(view, item.id);
    if (found === null) return null;
    const start = found.start + 4 + view.getUint32(found.start);
    return bytes.subarray(Math.min(start, found.end), found.end);
  } catch {
    // The list of items, or the item, is incomplete.
    return null;
  }
}

/** Returns the place of an item's data, or null if it is not in one piece at an offset in the file. */
function locationOf(view: DataView, id: number): Content | null {
  const meta = findBox(view, META, { start: 0, end: view.byteLength });
  const iloc = meta && findBox(view, ILOC, { start: meta.start + FULL_BOX_BYTES, end: meta.end });
  if (iloc === undefined) return null;
  const cursor = { view, at: iloc.start };
  const { format, items } = readLocations(cursor);
  for (let i = 0; i < items; i++) {
    const location = readLocation(cursor, format);
    if (location.id !== id) continue;
    return location.isHere && location.extents.length === 1 ? location.extents[0]! : null;
  }
  return null;
}

function listItems(bytes: Uint8Array): { readonly id: number; readonly type: string }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const meta = findBox(view, META, { start: 0, end: view.byteLength });
  const iinf = meta && findBox(view, IINF, { start: meta.start + FULL_BOX_BYTES, end: meta.end });
  if (iinf === undefined || iinf.start >= view.byteLength) return [];
  const countBytes = view.getUint8(iinf.start) === 0 ? 2 : 4;
  const items: { readonly id: number; readonly type: string }[] = [];
  let rest: Content = { ...iinf, start: iinf.start + FULL_BOX_BYTES + countBytes };
  while (items.length < MAX_ITEMS) {
    const infe = findBox(view, INFE, rest);
    if (infe === undefined || infe.start >= view.byteLength) break;
    const idBytes = view.getUint8(infe.start) < 3 ? 2 : 4;
    const idAt = infe.start + FULL_BOX_BYTES;
    const at = idAt + idBytes + PROTECTION_BYTES;
    const hasId = idAt + idBytes <= view.byteLength;
    const id = hasId ? read({ view, at: idAt }, idBytes) : 0;
    items.push({ id, type: Buffer.from(bytes.subarray(at, at + 4)).toString('latin1') });
    rest = { start: infe.end, end: rest.end };
  }
  return items;
}

function findBox(view: DataView, type: number, { start, end }: Content): Content | undefined {
  const last = Math.min(end, view.byteLength) - BOX_HEADER_BYTES;
  for (let at = start; at <= last;) {
    const content = contentOf(view, at);
    if (view.getUint32(at + 4) === type) return content;
    if (content.end < content.start) return undefined;
    at = content.end;
  }
  return undefined;
}

function contentOf(view: DataView, at: number): Content {
  const start = at + BOX_HEADER_BYTES;
  const size = view.getUint32(at);
  if (size === 0) return { start, end: view.byteLength };
  const hasLongSize = size === 1 && start + 8 <= view.byteLength;
  if (!hasLongSize) return { start, end: at + size };
  return { start: start + 8, end: at + Number(view.getBigUint64(start)) };
}

/** @throws RangeError if the list extends beyond the end of the file */
function endOfLocations(cursor: Cursor): number {
  const { format, items } = readLocations(cursor);
  let end = 0;
  for (let i = 0; i < items; i++) {
    const { isHere, extents } = readLocation(cursor, format);
    if (isHere) end = extents.reduce((last, extent) => Math.max(last, extent.end), end);
  }
  return end;
}

/** Reads the head of the list of locations. */
function readLocations(cursor: Cursor): { readonly format: ItemFormat; readonly items: number } {
  const version = read(cursor, FULL_BOX_BYTES) >>> 24;
  const sizes = read(cursor, 2);
  const format = {
    version,
    offsetBytes: sizes >> 12,
    lengthBytes: (sizes >> 8) & 15,
    baseBytes: (sizes >> 4) & 15,
    indexBytes: version === 0 ? 0 : sizes & 15,
  };
  return { format, items: read(cursor, version < 2 ? 2 : 4) };
}

interface Location {
  readonly id: number;
  /** Whether the data is at an offset in this file. */
  readonly isHere: boolean;
  readonly extents: readonly Content[];
}

function readLocation(cursor: Cursor, format: ItemFormat): Location {
  const { version, offsetBytes, lengthBytes, baseBytes, indexBytes } = format;
  const id = read(cursor, version < 2 ? 2 : 4);
  const method = version === 0 ? IN_FILE : read(cursor, 2) & 15;
  const isHere = read(cursor, 2) === 0 && method === IN_FILE;
  const base = read(cursor, baseBytes);
  const count = read(cursor, 2);
  // An extent whose offset and length are not stored stands for the whole file, so it cannot end behind the file.
  if (indexBytes + offsetBytes + lengthBytes === 0) return { id, isHere, extents: [] };
  const extents: Content[] = [];
  for (let i = 0; i < count; i++) {
    read(cursor, indexBytes);
    const start = base + read(cursor, offsetBytes);
    extents.push({ start, end: start + read(cursor, lengthBytes) });
  }
  return { id, isHere, extents };
}

function read(cursor: Cursor, bytes: number): number {
  const { view, at } = cursor;
  cursor.at += bytes;
  switch (bytes) {
    case 0:
      return 0;
    case 2:
      return view.getUint16(at);
    case 4:
      return view.getUint32(at);
    case 8:
      return Number(view.getBigUint64(at));
    default:
      throw new RangeError(`${bytes} bytes are not a number.`);
  }
}

function tooManyItems(): ImageTooLarge {
  return new ImageTooLarge(`The image has ${MAX_ITEMS} parts or more.`);
}
