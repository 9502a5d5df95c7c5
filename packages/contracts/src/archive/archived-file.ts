import { z } from 'zod';

/** The SHA-256 of a file. */
export const archivedDigest = z.string().regex(/^[0-9a-f]{64}$/, { error: 'Expected a SHA-256' });

/** The schema of a file of the archive whose path has the given form. */
export function archivedFile(path: RegExp) {
  return z.object({
    path: z.string().max(100).regex(path, { error: 'Not the path of such a file' }),
    sha256: archivedDigest,
    size: z.int().min(1).describe('In bytes.'),
  });
}
