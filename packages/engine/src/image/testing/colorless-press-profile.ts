const HEADER_BYTES = 128;
const TAG_TABLE_BYTES = 4 + 12;
const TABLE_AT = HEADER_BYTES + TAG_TABLE_BYTES;
/**
 * The offset of the grid in an `mft1` table (ICC.1, lut8Type) from four channels to three, with two
 * grid points each.
 */
const GRID_AT = TABLE_AT + 48 + 4 * 256;
const GRID_BYTES = 2 ** 4 * 3;
const PROFILE_BYTES = GRID_AT + GRID_BYTES + 3 * 256;

// Lab values of 8 bits each.
const WHITE = [255, 128, 128];
const BLACK = [0, 128, 128];

/**
 * Makes a CMYK ICC profile of a press whose colored inks are invisible. A decoder that applies it
 * gets a gray image, and a decoder that uses another profile gets colors.
 */
export function colorlessPressProfile(): Uint8Array {
  const bytes = new Uint8Array(PROFILE_BYTES);
  const view = new DataView(bytes.buffer);
  const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at);
  view.setUint32(0, PROFILE_BYTES);
  view.setUint32(8, 0x02400000); // version 2.4
  text(12, 'prtrCMYKLab ');
  text(36, 'acsp');
  [0xf6d6, 0x10000, 0xd32d].forEach((value, i) => view.setUint32(68 + 4 * i, value)); // the white point D50

  view.setUint32(HEADER_BYTES, 1);
  text(HEADER_BYTES + 4, 'A2B0');
  view.setUint32(HEADER_BYTES + 8, TABLE_AT);
  view.setUint32(HEADER_BYTES + 12, PROFILE_BYTES - TABLE_AT);

  text(TABLE_AT, 'mft1');
  bytes.set([4, 3, 2], TABLE_AT + 8);
  for (const i of [0, 4, 8]) view.setUint32(TABLE_AT + 12 + 4 * i, 0x10000); // the identity matrix
  const identity = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let i = 0; i < 4; i++) bytes.set(identity, TABLE_AT + 48 + 256 * i);
  for (let i = 0; i < 2 ** 4; i++) {
    bytes.set(i % 2 === 0 ? WHITE : BLACK, GRID_AT + 3 * i); // black is the ink that varies fastest
  }
  for (let i = 0; i < 3; i++) bytes.set(identity, GRID_AT + GRID_BYTES + 256 * i);
  return bytes;
}
