import { ImageCorrupt, UnsupportedFormat } from '@sightline/core/sources/image-errors';

/** The bits of a pixel that make up each channel. An alpha mask of 0 means opaque. */
export interface ChannelMasks {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  /** Whether rows are stored from top to bottom; otherwise they are stored from bottom to top. */
  readonly topDown: boolean;
  readonly bitsPerPixel: 1 | 4 | 8 | 16 | 24 | 32;
  /** Whether palette indices are run-length encoded. If so, bitsPerPixel is 4 or 8. */
  readonly runLength: boolean;
  /** The masks apply to 16 and 32 bits per pixel. */
  readonly masks: ChannelMasks;
  readonly palette: {
    readonly offset: number;
    readonly entries: number;
    readonly entryBytes: 3 | 4;
  };
  readonly pixelOffset: number;
}

const FILE_HEADER_BYTES = 14;
const CORE_HEADER_BYTES = 12;
const INFO_HEADER_BYTES = 40;
const V3_HEADER_BYTES = 56;

const Compression = { rgb: 0, rle8: 1, rle4: 2, bitFields: 3, jpeg: 4, png: 5, alphaBitFields: 6 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  [Compression.rgb]: [1, 4, 8, 16, 24, 32],
  [Compression.rle8]: [8],
  [Compression.rle4]: [4],
  [Compression.bitFields]: [16, 32],
  [Compression.alphaBitFields]: [16, 32],
};

const OS2_HEADER_BYTES = 64;
/** The compressions that only a header of OS/2 gives these numbers. */
const OS2_COMPRESSIONS: Readonly<Record<number, string>> = { 3: 'Huffman coding', 4: 'RLE24' };
/** The compressions of the Windows metafile format for CMYK. */
const CMYK_COMPRESSIONS = [11, 12, 13];
/** The depths of Windows CE and of GDI+, which the decoder does not read. */
const OTHER_DEPTHS = [2, 64];

const RGB555: ChannelMasks = { red: 0x7c00, green: 0x03e0, blue: 0x001f, alpha: 0 };
const RGB888: ChannelMasks = { red: 0xff0000, green: 0x00ff00, blue: 0x0000ff, alpha: 0 };

/**
 * Reads the headers of a Windows or OS/2 bitmap (BITMAPCOREHEADER to BITMAPV5HEADER) and validates
 * everything that the decoder of the pixels relies on. An embedded color profile is ignored.
 *
 * @throws ImageCorrupt; UnsupportedFormat with the variant's name
 */
export function readBmpHeader(bytes: Uint8Array): BmpHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const info = readInfo(view);
  const { width, signedHeight, compression, bitsPerPixel } = info;
  if (width <= 0 || signedHeight === 0) throw new ImageCorrupt('The bitmap has no pixels.');
  requireKnown(info);
  const headersEnd = FILE_HEADER_BYTES + info.headerBytes + masksBehindHeader(info);
  // Some writers set the pixel offset to 0. Their pixels follow the headers.
  const pixelOffset = view.getUint32(10, true) || headersEnd;
  if (pixelOffset < headersEnd || pixelOffset >= bytes.length) {
    throw new ImageCorrupt('The header of the bitmap states a wrong position of the pixels.');
  }
  return {
    width,
    height: Math.abs(signedHeight),
    topDown: signedHeight < 0,
    bitsPerPixel: bitsPerPixel as BmpHeader['bitsPerPixel'],
    runLength: compression === Compression.rle8 || compression === Compression.rle4,
    masks: readMasks(view, info),
    palette: {
      offset: headersEnd,
      entries: paletteEntries(info),
      entryBytes: info.headerBytes === CORE_HEADER_BYTES ? 3 : 4,
    },
    pixelOffset,
  };
}

interface Info {
  readonly headerBytes: number;
  readonly width: number;
  readonly signedHeight: number;
  readonly bitsPerPixel: number;
  readonly compression: number;
  readonly colorsUsed: number;
}

function readInfo(view: DataView): Info {
  const headerBytes = view.getUint32(14, true);
  if (view.byteLength < FILE_HEADER_BYTES + headerBytes) {
    throw new ImageCorrupt('The bitmap ends within its header.');
  }
  if (headerBytes === CORE_HEADER_BYTES) {
    return {
      headerBytes,
      width: view.getUint16(18, true),
      signedHeight: view.getUint16(20, true),
      bitsPerPixel: view.getUint16(24, true),
      compression: Compression.rgb,
      colorsUsed: 0,
    };
  }
  return {
    headerBytes,
    width: view.getInt32(18, true),
    signedHeight: view.getInt32(22, true),
    bitsPerPixel: view.getUint16(28, true),
    compression: view.getUint32(30, true),
    colorsUsed: view.getUint32(46, true),
  };
}

function requireKnown({ headerBytes, compression, bitsPerPixel }: Info): void {
  const ofOs2 = headerBytes === OS2_HEADER_BYTES ? OS2_COMPRESSIONS[compression] : undefined;
  if (ofOs2 !== undefined) refuse(`with ${ofOs2}`);
  if (CMYK_COMPRESSIONS.includes(compression)) refuse('in CMYK');
  if (OTHER_DEPTHS.includes(bitsPerPixel)) refuse(`with ${bitsPerPixel} bits per pixel`);
  if (compression === Compression.jpeg || compression === Compression.png) {
    throw new UnsupportedFormat(
      'Bitmaps that contain a JPEG or PNG are not supported; send the JPEG or PNG itself.',
    );
  }
  if (DEPTHS[compression]?.includes(bitsPerPixel) !== true) {
    throw new ImageCorrupt('The bitmap has an unknown compression or depth.');
  }
}

function refuse(variant: string): never {
  throw new UnsupportedFormat(`Bitmaps ${variant} are not supported.`);
}

/**
 * Returns the length in bytes of the masks behind the header. A plain info header is followed by
 * its masks, whereas longer headers contain them.
 */
function masksBehindHeader({ headerBytes, compression }: Info): number {
  if (headerBytes !== INFO_HEADER_BYTES) return 0;
  if (compression === Compression.bitFields) return 12;
  return compression === Compression.alphaBitFields ? 16 : 0;
}

function readMasks(view: DataView, info: Info): ChannelMasks {
  const { headerBytes, compression, bitsPerPixel } = info;
  if (compression !== Compression.bitFields && compression !== Compression.alphaBitFields) {
    return bitsPerPixel === 16 ? RGB555 : RGB888;
  }
  const hasAlpha = headerBytes >= V3_HEADER_BYTES || masksBehindHeader(info) === 16;
  return {
    red: view.getUint32(54, true),
    green: view.getUint32(58, true),
    blue: view.getUint32(62, true),
    alpha: hasAlpha ? view.getUint32(66, true) : 0,
  };
}

function paletteEntries({ bitsPerPixel, colorsUsed }: Info): number {
  if (bitsPerPixel > 8) return 0;
  const maxEntries = 1 << bitsPerPixel;
  return colorsUsed === 0 ? maxEntries : Math.min(colorsUsed, maxEntries);
}
