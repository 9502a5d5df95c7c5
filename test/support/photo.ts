import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { shared } from './shared.ts';

/** A shared photo as an upload. */
export async function photo(path: string): Promise<File> {
  return new File([await readFile(shared('photos', path))], basename(path));
}
