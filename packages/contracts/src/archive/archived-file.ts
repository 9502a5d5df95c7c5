import { z } from 'zod';

/** The SHA-256 of a file in lower-case hexadecimal digits. */
export const archivedDigest = z.string().regex(/^[0-9a-f]{64}$/, { error: 'Expected a SHA-256' });

export function archivedFile(path: RegExp) {
  return z.object({
    path: z.string().max(100).regex(path, { error: 'Not a valid path for this kind of file' }),
    sha256: archivedDigest,
    size: z.int().min(1).describe('In bytes.'),
  });
}
