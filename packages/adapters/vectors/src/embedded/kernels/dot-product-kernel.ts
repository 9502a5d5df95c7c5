import { readFileSync } from 'node:fs';

/** Floats per iteration of the kernel's inner loop. Rows and queries are zero-padded to a multiple of it. */
export const LANES = 16;

/**
 * `score` of `assembly`, compiled to `kernels.wasm`: writes the dot products of one query with consecutive rows. All
 * arguments are byte addresses in the memory; an end is exclusive.
 */
export type Score = (
  ...addresses: [rows: number, rowsEnd: number, query: number, queryEnd: number, scores: number]
) => void;

/** The subset of the WebAssembly API in use; TypeScript declares it only in the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => { readonly exports: { readonly score: Score } };
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
  }) => WasmMemory;
};

/** Memory in pages of 64 KiB. Growing detaches `buffer` and replaces it. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** @throws RangeError if there is no memory left */
  grow(pages: number): number;
}

export function newMemory(limits: {
  readonly initial: number;
  readonly maximum: number;
}): WasmMemory {
  return new WebAssembly.Memory(limits);
}

/**
 * Compiles the kernel. For 100,000 rows of 512 values the kernel needs a quarter of JavaScript's time for one query,
 * and a tenth for five, because JavaScript has no SIMD.
 */
export function compileKernel(): (memory: WasmMemory) => Score {
  const bytes = readFileSync(new URL('./kernels.wasm', import.meta.url));
  const module = new WebAssembly.Module(bytes);
  return (memory) => new WebAssembly.Instance(module, { env: { memory } }).exports.score;
}
