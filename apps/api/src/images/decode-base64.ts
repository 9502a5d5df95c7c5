/**
 * Decodes base64 (RFC 4648) in the standard or the URL-safe alphabet; padding is optional, and white
 * space may be anywhere. Null if the text is not base64. The bytes have a buffer of their own.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  // White space is rare and texts are long: copy them only if there is any.
  return decodeCompact(text) ?? decodeCompact(text.replace(/\s+/g, ''));
}

/** Node skips characters outside the alphabet, which leaves fewer bytes than expected. */
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
