/**
 * Floats per iteration of the kernel's inner loop: rows and queries are zero-padded to a multiple
 * of it.
 */
export const LANES = 16;

/**
 * Writes the dot products of one query with consecutive rows. All arguments are byte addresses in
 * the memory; an end is exclusive.
 */
export type Score = (
  ...addresses: [rows: number, rowsEnd: number, query: number, queryEnd: number, scores: number]
) => void;

/** The subset of the WebAssembly API in use; TypeScript declares it only in the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly arena: { readonly memory: WasmMemory } },
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
 * Compiles the kernel. JavaScript has no SIMD: over 100,000 rows of 512 values the kernel takes a
 * quarter of its time for one query and a tenth for five. In the text format:
 *
 * ```
 * (func (export "score") (param $row $rowsEnd $query $queryEnd $scores i32)
 *   (local $at i32) (local $a $b $c $d v128)
 *   (loop $nextRow
 *     $a = $b = $c = $d = 0
 *     $at = $query
 *     (loop $nextValues
 *       $a += $row[0..3] * $at[0..3], $b += $row[4..7] * $at[4..7], ... $d
 *       $row += 64, $at += 64
 *       (br_if $nextValues (i32.lt_u $at $queryEnd)))
 *     $a = ($a + $b) + ($c + $d)
 *     $scores[0] = ($a[0] + $a[1]) + ($a[2] + $a[3])
 *     $scores += 4
 *     (br_if $nextRow (i32.lt_u $row $rowsEnd))))
 * ```
 *
 * Four accumulators, because with a single one each addition would wait for the previous one.
 */
export function compileKernel(): (memory: WasmMemory) => Score {
  const module = new WebAssembly.Module(Uint8Array.from(moduleBytes()));
  return (memory) => new WebAssembly.Instance(module, { arena: { memory } }).exports.score;
}

const [ROW, ROWS_END, QUERY, QUERY_END, SCORES, AT, A, B, C, D] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const SUMS = [A, B, C, D] as const;
const VECTOR_BYTES = 16;
const ITERATION_BYTES = LANES * Float32Array.BYTES_PER_ELEMENT;

const I32 = 0x7f;
const V128 = 0x7b;
const END = 0x0b;
const LOOP = [0x03, 0x40];
const REPEAT_IF_LESS = [0x49, 0x0d, 0x00]; // i32.lt_u; br_if 0
const F32_ADD = [0x92];
const F32_STORE = [0x38, 0x02, 0x00];
const ZERO = [0xfd, 0x0c, ...new Array<number>(VECTOR_BYTES).fill(0)]; // v128.const
const F32X4_ADD = [0xfd, 0xe4, 0x01];
const F32X4_MUL = [0xfd, 0xe6, 0x01];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const load = (local: number, offset: number) => [
  ...get(local),
  0xfd,
  0x00,
  0x04,
  ...varint(offset),
];
const lane = (local: number, index: number) => [...get(local), 0xfd, 0x1f, index];

function advance(local: number, bytes: number): number[] {
  return [...get(local), 0x41, ...varint(bytes), 0x6a, ...set(local)]; // i32.const; i32.add
}

function multiplyAndAdd(sum: number, offset: number): number[] {
  const product = [...load(ROW, offset), ...load(AT, offset), ...F32X4_MUL];
  return [...get(sum), ...product, ...F32X4_ADD, ...set(sum)];
}

function scoreBody(): number[] {
  return [
    ...LOOP,
    ...SUMS.flatMap((sum) => [...ZERO, ...set(sum)]),
    ...get(QUERY),
    ...set(AT),
    ...LOOP,
    ...SUMS.flatMap((sum, index) => multiplyAndAdd(sum, index * VECTOR_BYTES)),
    ...advance(ROW, ITERATION_BYTES),
    ...advance(AT, ITERATION_BYTES),
    ...get(AT),
    ...get(QUERY_END),
    ...REPEAT_IF_LESS,
    END,
    ...get(A),
    ...get(B),
    ...F32X4_ADD,
    ...get(C),
    ...get(D),
    ...F32X4_ADD,
    ...F32X4_ADD,
    ...set(A),
    ...get(SCORES),
    ...lane(A, 0),
    ...lane(A, 1),
    ...F32_ADD,
    ...lane(A, 2),
    ...lane(A, 3),
    ...F32_ADD,
    ...F32_ADD,
    ...F32_STORE,
    ...advance(SCORES, Float32Array.BYTES_PER_ELEMENT),
    ...get(ROW),
    ...get(ROWS_END),
    ...REPEAT_IF_LESS,
    END,
    END,
  ];
}

function moduleBytes(): number[] {
  const parameters = [I32, I32, I32, I32, I32];
  const locals = vector([
    [1, I32],
    [SUMS.length, V128],
  ]);
  return [
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00, // "\0asm", version 1
    ...section(1, [0x60, ...vector(parameters.map((type) => [type])), 0x00]),
    ...section(2, [...text('arena'), ...text('memory'), 0x02, 0x00, 0x00]), // of any size
    ...section(3, [0x00]),
    ...section(7, [...text('score'), 0x00, 0x00]),
    ...section(10, sized([...locals, ...scoreBody()])),
  ];
}

/** A section of the module with a single entry. */
function section(id: number, entry: readonly number[]): number[] {
  return [id, ...sized(vector([entry]))];
}

function vector(entries: readonly (readonly number[])[]): number[] {
  return [...varint(entries.length), ...entries.flat()];
}

function sized(bytes: readonly number[]): number[] {
  return [...varint(bytes.length), ...bytes];
}

function text(name: string): number[] {
  return sized([...Buffer.from(name)]);
}

/** LEB128 of a non-negative integer, valid as signed and as unsigned. */
function varint(value: number): number[] {
  const rest = value >> 7;
  const low = value & 0x7f;
  return rest === 0 && low < 0x40 ? [low] : [low | 0x80, ...varint(rest)];
}
