/**
 * Converts IEEE 754 half precision to single precision, exactly.
 *
 * @param bytes little-endian, two bytes per value
 */
export function decodeFloat16(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = new Float32Array(bytes.byteLength / 2);
  for (let i = 0; i < values.length; i++) values[i] = fromHalf(view.getUint16(2 * i, true));
  return values;
}

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  // Subnormal numbers have no leading 1.
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
