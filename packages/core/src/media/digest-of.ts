import { createHash } from 'node:crypto';

/** SHA-256 of a file (hex): which image it is, and the name under which it is kept. */
export function digestOf(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex');
}
