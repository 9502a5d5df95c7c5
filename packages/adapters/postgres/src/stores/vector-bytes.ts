/*
 * Vectors stand in the database as little-endian floats, which is how every processor that Node 24
 * runs on has them in memory.
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

/** A copy, which begins at an address where floats may stand. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
