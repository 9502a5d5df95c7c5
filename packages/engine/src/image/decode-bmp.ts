import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import { readBmpHeader, type BmpHeader, type ChannelMasks } from './bmp-header.ts';
import { expandRuns } from './bmp-run-length.ts';
import type { OpenImage } from './open-image.ts';
import type { Raster } from './raster.ts';

/**
 * Opens a Windows or OS/2 bitmap: 1, 4, 8, 16, 24 and 32 bits, palette, channel masks, RLE4 and
 * RLE8, bottom-up or top-down rows. An index without a palette entry is black. Alpha is used if a
 * mask declares it, unless it is 0 everywhere, because some writers leave it 0 in opaque images.
 *
 * @throws ImageCorrupt or UnsupportedFormat as {@link readBmpHeader} does
 */
export function openBmp(bytes: Uint8Array): OpenImage {
  const header = readBmpHeader(bytes);
  return {
    width: header.width,
    height: header.height,
    // oxlint-disable-next-line typescript/require-await -- an error must reject, not throw
    decode: async () => decode(bytes, header),
  };
}

/** The rows as stored. The first row begins at the offset `at`. */
interface StoredRows {
  readonly view: DataView;
  readonly at: number;
  readonly stride: number;
}

type RowReader = (from: number, to: number) => void;

function decode(bytes: Uint8Array, header: BmpHeader): Raster {
  const { width, height } = header;
  const rows = header.runLength ? runLengthRows(bytes, header) : plainRows(bytes, header);
  const data = new Uint8Array(width * height * 3);
  const readRow = rowReader({ bytes, header, rows, data });
  for (let y = 0; y < height; y++) {
    const row = header.topDown ? y : height - 1 - y;
    readRow(rows.at + y * rows.stride, row * width * 3);
  }
  return { data, width, height };
}

function plainRows(bytes: Uint8Array, header: BmpHeader): StoredRows {
  const bits = header.width * header.bitsPerPixel;
  const stride = Math.ceil(bits / 32) * 4;
  // The padding behind the last row may be missing.
  const end = header.pixelOffset + stride * (header.height - 1) + Math.ceil(bits / 8);
  if (end > bytes.length)
    throw new ImageCorrupt('The bitmap has fewer pixels than its header declares.');
  return { view: viewOf(bytes), at: header.pixelOffset, stride };
}

function runLengthRows(bytes: Uint8Array, header: BmpHeader): StoredRows {
  const runs = bytes.subarray(header.pixelOffset);
  const indices = expandRuns(runs, {
    width: header.width,
    height: header.height,
    nibbles: header.bitsPerPixel === 4,
  });
  return { view: viewOf(indices), at: 0, stride: header.width };
}

interface RowSource {
  readonly bytes: Uint8Array;
  readonly header: BmpHeader;
  readonly rows: StoredRows;
  readonly data: Uint8Array;
}

function rowReader(source: RowSource): RowReader {
  const { bitsPerPixel, runLength } = source.header;
  switch (bitsPerPixel) {
    case 1:
    case 4:
    case 8:
      return indexedReader(source, runLength ? 8 : bitsPerPixel);
    case 24:
      return trueColorReader(source);
    case 16:
    case 32:
      return maskedReader(source, bitsPerPixel === 16 ? 2 : 4);
  }
}

function indexedReader({ bytes, header, rows, data }: RowSource, bits: number): RowReader {
  const palette = readPalette(bytes, header.palette);
  const mask = (1 << bits) - 1;
  return (from, to) => {
    for (let x = 0; x < header.width; x++) {
      const bit = x * bits;
      const index = (rows.view.getUint8(from + (bit >> 3)) >> (8 - bits - (bit & 7))) & mask;
      data[to + 3 * x] = palette[3 * index]!;
      data[to + 3 * x + 1] = palette[3 * index + 1]!;
      data[to + 3 * x + 2] = palette[3 * index + 2]!;
    }
  };
}

function readPalette(bytes: Uint8Array, palette: BmpHeader['palette']): Uint8Array {
  const colors = new Uint8Array(256 * 3);
  for (let i = 0; i < palette.entries; i++) {
    const at = palette.offset + i * palette.entryBytes;
    if (at + 3 > bytes.length) throw new ImageCorrupt('The bitmap ends within its palette.');
    colors.set([bytes[at + 2]!, bytes[at + 1]!, bytes[at]!], 3 * i);
  }
  return colors;
}

function trueColorReader({ bytes, header, data }: RowSource): RowReader {
  return (from, to) => {
    for (let x = 0; x < 3 * header.width; x += 3) {
      data[to + x] = bytes[from + x + 2]!;
      data[to + x + 1] = bytes[from + x + 1]!;
      data[to + x + 2] = bytes[from + x]!;
    }
  };
}

function maskedReader(source: RowSource, pixelBytes: 2 | 4): RowReader {
  const { header, data } = source;
  const pixel = pixelReader(source.rows, pixelBytes);
  const [red, green, blue, alpha] = channels(header.masks);
  const opaque = !hasAlpha(source, (at) => alpha(pixel(at)), pixelBytes);
  return (from, to) => {
    for (let x = 0; x < header.width; x++) {
      const value = pixel(from + x * pixelBytes);
      const opacity = opaque ? 255 : alpha(value);
      data[to + 3 * x] = onWhite(red(value), opacity);
      data[to + 3 * x + 1] = onWhite(green(value), opacity);
      data[to + 3 * x + 2] = onWhite(blue(value), opacity);
    }
  };
}

function pixelReader({ view }: StoredRows, pixelBytes: 2 | 4): (at: number) => number {
  return pixelBytes === 2 ? (at) => view.getUint16(at, true) : (at) => view.getUint32(at, true);
}

function hasAlpha(
  { header, rows }: RowSource,
  alphaAt: (at: number) => number,
  pixelBytes: number,
): boolean {
  if (header.masks.alpha === 0) return false;
  for (let y = 0; y < header.height; y++) {
    for (let x = 0; x < header.width; x++) {
      if (alphaAt(rows.at + y * rows.stride + x * pixelBytes) > 0) return true;
    }
  }
  return false;
}

function channels({ red, green, blue, alpha }: ChannelMasks) {
  return [red, green, blue, alpha].map(channel) as [Channel, Channel, Channel, Channel];
}

/** Extracts one channel of a pixel and scales its value to 0..255. */
type Channel = (pixel: number) => number;

function channel(mask: number): Channel {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  if (max === 255) return (pixel) => (pixel >>> shift) & 255;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / max);
}

function onWhite(value: number, opacity: number): number {
  return opacity === 255 ? value : Math.round(255 + ((value - 255) * opacity) / 255);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
