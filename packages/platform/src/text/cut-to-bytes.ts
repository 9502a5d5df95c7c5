/** The beginning of a text that takes at most so many bytes of UTF-8, without a part of a character at its end. */
export function cutToBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  // More could follow: a part of a character waits for the rest of it.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, most), {
    stream: true,
  });
}
