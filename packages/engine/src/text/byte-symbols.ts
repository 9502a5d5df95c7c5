/**
 * Returns the characters that represent bytes in the files of byte-level encodings (GPT-2, CLIP),
 * by byte. Printable Latin-1 characters represent themselves. The other bytes get U+0100 and up, in
 * order.
 */
export function byteSymbols(): readonly string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isPrintable(byte) ? byte : next++),
  );
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
}
