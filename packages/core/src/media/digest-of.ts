import { createHash } from 'node:crypto';

/** The SHA-256 (hex) of a file. It identifies an image, and is part of a media key. */
export function digestOf(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex');
}
