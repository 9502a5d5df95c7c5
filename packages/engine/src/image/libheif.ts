import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The subset of libheif's C interface in use. Pointers are offsets into `HEAPU8`. */
export interface Libheif {
  /** The array is replaced when the memory grows, so callers must not keep a reference. */
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _heif_context_alloc(): number;
  _heif_context_set_maximum_image_size_limit(context: number, width: number): void;
  _heif_context_read_from_memory_without_copy(
    ...args: [error: number, context: number, data: number, size: number, options: number]
  ): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, data: number): void;
  _heif_decoding_options_alloc(): number;
  _heif_decode_image(
    ...args: [
      error: number,
      handle: number,
      image: number,
      colorspace: number,
      chroma: number,
      options: number,
    ]
  ): void;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_plane_readonly2(image: number, channel: number, stride: number): number;
}

// The subset of the WebAssembly API in use, which TypeScript declares only in the DOM library.
type WasmModule = object;
interface WasmInstance {
  readonly exports: object;
}
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: object) => WasmInstance;
};

type CreateLibheif = (options: {
  readonly instantiateWasm: (
    imports: object,
    done: (instance: WasmInstance, module: WasmModule) => void,
  ) => object;
  readonly print: () => void;
  readonly printErr: () => void;
}) => Libheif;

const require = createRequire(import.meta.url);
const createLibheif = require('libheif-js/libheif-wasm/libheif.js') as CreateLibheif;
const compiled = new WebAssembly.Module(
  readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm')),
);

export function instantiateLibheif(): Libheif {
  return createLibheif({
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(compiled, imports);
      done(instance, compiled);
      return instance.exports;
    },
    print: () => undefined,
    printErr: () => undefined,
  });
}
