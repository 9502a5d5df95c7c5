import { UnsupportedFormat } from '@sightline/core/sources/image-errors';

/** The coding processes of ITU-T T.81 and JPEG-LS by the marker of their frame; null if libjpeg-turbo decodes them. */
const PROCESSES: Readonly<Record<number, string | null>> = {
  0xc0: null, // baseline
  0xc1: null, // extended sequential
  0xc2: null, // progressive
  0xc3: 'with lossless coding',
  0xc5: 'with hierarchical coding',
  0xc6: 'with hierarchical coding',
  0xc7: 'with hierarchical coding',
  0xc9: null, // extended sequential, arithmetic
  0xca: null, // progressive, arithmetic
  0xcb: 'with lossless coding',
  0xcd: 'with hierarchical coding',
  0xce: 'with hierarchical coding',
  0xcf: 'with hierarchical coding',
  0xf7: 'with JPEG-LS coding',
};
const BITS = 8;
/** Gray; YCbCr or RGB; CMYK or YCCK. */
const CHANNELS = new Set([1, 3, 4]);
const COMPONENT_BYTES = 3;
const COEFFICIENTS = 64;
/** The precision, in omitted bits, of a coefficient that no scan has sent. */
const NOT_SENT = 255;

/** The header of a JPEG's frame and the precision with which scans have sent its coefficients. */
export class JpegFrame {
  readonly width: number;
  readonly height: number;
  /** For each component the bits of each coefficient that are still missing. */
  readonly #missing = new Map<number, Uint8Array>();

  /** @throws UnsupportedFormat with the variant's name for a valid frame that the decoder does not support */
  constructor(marker: number, header: Uint8Array) {
    const [bits = 0, , , , , channels = 0] = header;
    this.height = wordAt(header, 1);
    this.width = wordAt(header, 3);
    const variant = PROCESSES[marker];
    if (variant) refuse(variant);
    if (bits !== BITS) refuse(`with ${bits} bits per channel`);
    if (!CHANNELS.has(channels)) refuse(`with ${channels} channels`);
    for (let i = 0; i < channels; i++) {
      const id = header[6 + COMPONENT_BYTES * i] ?? 0;
      this.#missing.set(id, new Uint8Array(COEFFICIENTS).fill(NOT_SENT));
    }
  }

  static isFrame(marker: number): boolean {
    return marker in PROCESSES;
  }

  /** Records the components, coefficients and bits that a scan contains. */
  addScan(header: Uint8Array): void {
    const [components = 0] = header;
    const [first = 0, last = 0, bits = 0] = header.subarray(1 + 2 * components);
    for (let i = 0; i < components; i++) {
      this.#missing.get(header[1 + 2 * i] ?? 0)?.fill(bits & 15, first, last + 1);
    }
  }

  /** Whether the scans so far contain all coefficients with all bits. */
  get isComplete(): boolean {
    return [...this.#missing.values()].every((bits) => bits.every((missing) => missing === 0));
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

function refuse(variant: string): never {
  throw new UnsupportedFormat(`JPEGs ${variant} are not supported.`);
}
