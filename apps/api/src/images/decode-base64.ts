/**
 * The bytes of a text in base64 (RFC 4648, also in the URL-safe alphabet; padding may be absent,
 * white space may be anywhere), in a buffer of their own. Null if the text is no base64.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  // White space is rare and texts are long: they are only copied without it if they need it.
  return decodeCompact(text) ?? decodeCompact(text.replace(/\s+/g, ''));
}

/** Node skips characters that are not of the alphabet: then fewer bytes than promised come out. */
function decodeCompact(text: string): Uint8Array<ArrayBuffer> | null {
  const digits = text.length - padding(text);
  if (digits % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  const written = Buffer.from(bytes.buffer).write(text.slice(0, digits), 'base64');
  return written === bytes.length ? bytes : null;
}

function padding(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}
