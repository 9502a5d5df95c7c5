import { createHash } from 'node:crypto';

/** SHA-256 of a file (hex), which identifies an image and is part of a file's media key. */
export function digestOf(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex');
}
