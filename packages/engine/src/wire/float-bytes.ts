import { endianness } from 'node:os';

const IS_LITTLE = endianness() === 'LE';

/**
 * Returns the numbers as little-endian bytes, four each. On little-endian machines, the result is a
 * view.
 */
export function toFloatBytes(floats: Float32Array): Uint8Array {
  const bytes = new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);
  return IS_LITTLE ? bytes : swapped(bytes);
}

/** Returns the numbers in newly allocated memory. The byte length must be a multiple of four. */
export function fromFloatBytes(bytes: Uint8Array): Float32Array {
  const own = IS_LITTLE ? new Uint8Array(bytes) : swapped(bytes);
  return new Float32Array(own.buffer);
}

function swapped(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = new Uint8Array(bytes);
  Buffer.from(own.buffer).swap32();
  return own;
}
