import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import { maxCodedSide } from './coded-pixels.ts';
import { instantiateLibheif, type Libheif } from './libheif.ts';

// The constants below are values of libheif's enums, heif_image.h and heif_error.h.
const COLORSPACE_RGB = 1;
const CHROMA_RGB = 10;
const CHROMA_RGBA = 11;
const CHANNEL_INTERLEAVED = 10;
const UNSUPPORTED_FILETYPE = 3;
const UNSUPPORTED_FEATURE = 4;
const SECURITY_LIMIT_EXCEEDED = 1000;
const NO_DECODER = 6003;

/** The offset of the flag `strict_decoding` in heif_decoding_options, heif_decoding.h. */
const STRICT_DECODING_AT = 21;

/**
 * The bytes of the memory for results of libheif's functions: the size of a heif_error, which is the largest struct
 * that they return. It consists of two numbers and a pointer.
 */
const SCRATCH_BYTES = 16;

export interface HeifPixels {
  /** The rows of the decoded image, `stride` bytes apart. They are valid until the next call or the disposal. */
  readonly rows: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The primary image of a HEIF file, read with libheif compiled to WebAssembly. Each file gets its
 * own instance, which takes a few milliseconds because the code is compiled only once per thread.
 * Disposal drops the instance, and with it any damage by a hostile file. The garbage collector then frees its memory,
 * which never shrinks.
 */
export class HeifImage implements Disposable {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
  #instance: Libheif | null;
  readonly #scratch: number;
  readonly #handle: number;

  /**
   * Parses the boxes of the file without decoding pixels.
   *
   * @param maxPixels limit for libheif's decoding, including tiles and auxiliary images, even if
   *   the header declares fewer pixels
   * @throws ImageCorrupt, UnsupportedFormat, ImageTooLarge
   */
  constructor(bytes: Uint8Array, maxPixels: number) {
    this.#instance = instantiateLibheif();
    this.#scratch = this.#lib._malloc(SCRATCH_BYTES);
    this.#handle = this.#guarded(() => this.#open(bytes, maxPixels));
    this.width = this.#lib._heif_image_handle_get_width(this.#handle);
    this.height = this.#lib._heif_image_handle_get_height(this.#handle);
    this.hasAlpha = this.#lib._heif_image_handle_has_alpha_channel(this.#handle) !== 0;
  }

  colorProfile(): Uint8Array | null {
    const size = this.#lib._heif_image_handle_get_raw_color_profile_size(this.#handle);
    if (size === 0) return null;
    return this.#guarded(() => {
      const at = this.#lib._malloc(size);
      this.#call((error) =>
        this.#lib._heif_image_handle_get_raw_color_profile(error, this.#handle, at),
      );
      return this.#lib.HEAPU8.slice(at, at + size);
    });
  }

  /**
   * Decodes to 8-bit RGB, or to RGBA if the image has alpha. Applies the rotation, mirroring and
   * cropping that the file specifies.
   *
   * @throws ImageCorrupt, UnsupportedFormat, ImageTooLarge
   */
  decode(): HeifPixels {
    const lib = this.#lib;
    return this.#guarded(() => {
      const chroma = this.hasAlpha ? CHROMA_RGBA : CHROMA_RGB;
      const options = lib._heif_decoding_options_alloc();
      // By default, tiles of a grid that are missing or damaged would be black.
      lib.HEAPU8[options + STRICT_DECODING_AT] = 1;
      const image = this.#callForPointer((error, out) =>
        lib._heif_decode_image(error, this.#handle, out, COLORSPACE_RGB, chroma, options),
      );
      const at = lib._heif_image_get_plane_readonly2(image, CHANNEL_INTERLEAVED, this.#scratch);
      const stride = this.#word(this.#scratch);
      const height = lib._heif_image_get_height(image, CHANNEL_INTERLEAVED);
      return {
        rows: lib.HEAPU8.subarray(at, at + stride * height),
        stride,
        width: lib._heif_image_get_width(image, CHANNEL_INTERLEAVED),
        height,
      };
    });
  }

  [Symbol.dispose](): void {
    this.#instance = null;
  }

  get #lib(): Libheif {
    return this.#instance!;
  }

  #open(bytes: Uint8Array, maxPixels: number): number {
    const lib = this.#lib;
    const context = lib._heif_context_alloc();
    lib._heif_context_set_maximum_image_size_limit(context, maxCodedSide(maxPixels));
    const data = lib._malloc(bytes.length);
    if (data === 0) throw new RangeError('out of memory');
    lib.HEAPU8.set(bytes, data);
    this.#call((error) =>
      lib._heif_context_read_from_memory_without_copy(error, context, data, bytes.length, 0),
    );
    return this.#callForPointer((error, out) =>
      lib._heif_context_get_primary_image_handle(error, context, out),
    );
  }

  #callForPointer(call: (error: number, out: number) => void): number {
    const out = this.#lib._malloc(4);
    this.#call((error) => call(error, out));
    return this.#word(out);
  }

  /** Calls a function of libheif, which returns its error in a struct that the caller allocates. */
  #call(call: (error: number) => void): void {
    call(this.#scratch);
    const code = this.#word(this.#scratch);
    if (code !== 0) throw new HeifError(code, this.#word(this.#scratch + 4));
  }

  #word(at: number): number {
    const { buffer } = this.#lib.HEAPU8;
    return new DataView(buffer).getUint32(at, true);
  }

  #guarded<T>(step: () => T): T {
    try {
      return step();
    } catch (cause) {
      throw imageError(cause);
    }
  }
}

class HeifError extends Error {
  readonly code: number;
  readonly subcode: number;

  constructor(code: number, subcode: number) {
    super(`libheif error ${code}/${subcode}`);
    this.code = code;
    this.subcode = subcode;
  }
}

function imageError(cause: unknown): Error {
  if (cause instanceof HeifError) {
    const { code, subcode } = cause;
    if (subcode === SECURITY_LIMIT_EXCEEDED) {
      return new ImageTooLarge('The image has too many pixels or parts.', {}, { cause });
    }
    if (subcode === NO_DECODER || code === UNSUPPORTED_FEATURE || code === UNSUPPORTED_FILETYPE) {
      return new UnsupportedFormat(
        'The HEIF file uses a codec or feature that is not supported.',
        {},
        { cause },
      );
    }
  }
  // Any other failure (a C++ exception, a trap or a lack of memory) ended the WebAssembly instance.
  return new ImageCorrupt('The image is damaged or incomplete.', {}, { cause });
}
