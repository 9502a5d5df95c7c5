/*
 * The database stores vectors as little-endian floats, the byte order of every processor that Node 24 runs on.
 */

export function toBytes(vector: Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** @param bytes float32 */
export function toVector(bytes: Uint8Array): Float32Array {
  return new Float32Array(aligned(bytes));
}

/** @param bytes float64 */
export function toSum(bytes: Uint8Array): Float64Array {
  return new Float64Array(aligned(bytes));
}

/** A copy with the alignment that typed arrays need. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
