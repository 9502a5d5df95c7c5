import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';

/** A secret that is made once and kept in a file that its owner alone reads. */
export async function keptSecret(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secret = randomBytes(24).toString('base64url');
  await writeDurably(file, `${secret}\n`);
  return secret;
}
