/*
 * The database stores vectors as little-endian floats, the byte order of every processor that Node 24 runs on.
 */

export function toBytes(values: Float32Array | Float64Array | Int32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** @param bytes float32 values; bytes behind the last whole value are ignored */
export function toVector(bytes: Uint8Array): Float32Array {
  const values = Math.floor(bytes.byteLength / Float32Array.BYTES_PER_ELEMENT);
  return new Float32Array(aligned(bytes), 0, values);
}

/** @param bytes float64 values */
export function toFloat64(bytes: Uint8Array): Float64Array {
  return new Float64Array(aligned(bytes));
}

/** A copy whose start is aligned, as typed arrays require. */
function aligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
