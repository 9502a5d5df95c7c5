/** The longest prefix of a text that has at most `most` bytes in UTF-8 and does not split a character. */
export function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  // With `stream`, the decoder waits for the rest of an incomplete last character and therefore omits this character.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, most), {
    stream: true,
  });
}
