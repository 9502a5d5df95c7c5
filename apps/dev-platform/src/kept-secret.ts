import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';

/** Reads a secret from a file. The first call creates a random secret and a file that only its owner can read. */
export async function keptSecret(file: string, bytes = 24): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(bytes).toString('base64url');
  await writeDurably(file, `${secret}\n`);
  return secret;
}
