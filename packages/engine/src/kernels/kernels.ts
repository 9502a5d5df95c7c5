import { readFileSync } from 'node:fs';

/**
 * The functions of `assembly`, compiled to `kernels.wasm`. An argument is a byte address in the
 * kernels' memory unless the function documents it as a count or a value. An end is exclusive.
 */
interface Kernels {
  stretchRow(...args: [source: number, taps: number, count: number, into: number]): void;
  blendRows(
    ...args: [
      upper: number,
      lower: number,
      upperWeight: number,
      lowerWeight: number,
      count: number,
      out: number,
    ]
  ): void;
  halveRows(...args: [upper: number, lower: number, count: number, out: number]): void;
  addRows(
    ...args: [
      source: number,
      stride: number,
      weights: number,
      weightsEnd: number,
      pairs: number,
      pairsEnd: number,
      orders: number,
      inner: number,
      sums: number,
    ]
  ): void;
  weighRows(
    ...args: [
      source: number,
      stride: number,
      weights: number,
      weightsEnd: number,
      bytes: number,
      into: number,
    ]
  ): void;
  averageRow(
    ...args: [
      weighed: number,
      margin: number,
      source: number,
      stride: number,
      weights: number,
      weightsEnd: number,
      pairs: number,
      pairsEnd: number,
      orders: number,
      inner: number,
      sums: number,
      out: number,
    ]
  ): void;
  finishRow(...args: [sums: number, sumsEnd: number, out: number]): void;
  packPlanes(
    ...args: [
      pixels: number,
      count: number,
      table: number,
      red: number,
      green: number,
      blue: number,
    ]
  ): void;
  /** @returns end of the indices */
  indicesFrom(
    ...args: [values: number, count: number, threshold: number, start: number, out: number]
  ): number;
  keepBest(
    ...args: [scores: number, count: number, classId: number, best: number, bestClasses: number]
  ): void;
  warpRow(
    ...args: [
      source: number,
      stride: number,
      width: number,
      height: number,
      stepX: number,
      stepY: number,
      startX: number,
      startY: number,
      out: number,
      outEnd: number,
    ]
  ): void;
}

/** The subset of the WebAssembly API in use, which TypeScript declares only in the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: { readonly buffer: ArrayBuffer } } },
  ) => { readonly exports: Kernels };
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => {
    readonly buffer: ArrayBuffer;
  };
};

/**
 * The size of the kernels' memory in pages of 64 KiB. 4 MiB hold the rows of the widest images, which are processed
 * in strips. The memory never grows, and the system provides only the used pages, which are under 1 MiB for most
 * photos.
 */
const PAGES = 64;

const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });

/** The WebAssembly instance of this thread. No call relies on data that an earlier call left in the memory. */
export const kernels: Kernels = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(new URL('./kernels.wasm', import.meta.url))),
  { env: { memory } },
).exports;

/** The kernels' memory. WebAssembly is little-endian, as are all processors that Node runs on. */
export const MEMORY = {
  bytes: new Uint8Array(memory.buffer),
  int16: new Int16Array(memory.buffer),
  int32: new Int32Array(memory.buffer),
  uint32: new Uint32Array(memory.buffer),
  float32: new Float32Array(memory.buffer),
  float64: new Float64Array(memory.buffer),
} as const;
