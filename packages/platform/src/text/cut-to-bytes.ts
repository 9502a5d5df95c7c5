/** The longest beginning of a text that fits into a number of bytes of UTF-8 and does not split a character. */
export function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  // With `stream` the decoder waits for the rest of a cut-off character, and so omits it.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, most), {
    stream: true,
  });
}
