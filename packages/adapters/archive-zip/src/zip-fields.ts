/** The length of a header field in bytes, and its value. */
type Field = readonly [length: 2 | 4 | 8, value: number];

/** Encodes the fields as unsigned little-endian integers, one after another. */
export function writeFields(...fields: readonly Field[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of fields) {
    if (length === 2) bytes.writeUInt16LE(value, at);
    else if (length === 4) bytes.writeUInt32LE(value, at);
    else bytes.writeBigUInt64LE(BigInt(value), at);
    at += length;
  }
  return bytes;
}
