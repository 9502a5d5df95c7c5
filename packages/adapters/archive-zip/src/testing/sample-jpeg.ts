/** Bytes with the header of a JPEG of this size. A different `tail` gives a different file. */
export function sampleJpeg(width: number, height: number, tail = ''): Uint8Array {
  const frame = Buffer.from('ffc0000b08' + hex16(height) + hex16(width) + '01011100', 'hex');
  return Buffer.concat([Buffer.from('ffd8', 'hex'), frame, Buffer.from(tail)]);
}

function hex16(value: number): string {
  return value.toString(16).padStart(4, '0');
}
