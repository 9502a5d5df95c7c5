import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** @throws StartError if the photo cannot be read */
export async function readPhoto(path: string): Promise<File> {
  try {
    return new File([await readFile(path)], basename(path));
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['EISDIR', 'it is a folder; for a folder of people use FOLDER='],
  ['EACCES', 'permission denied'],
]);

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS.get(code ?? '') ?? message;
}
