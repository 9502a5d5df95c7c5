import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { ROOT } from './root.ts';

const PROGRAM = join(ROOT, '.cache/tools/minio');

/** @throws StartError if MinIO is not installed, because several processes cannot share images in a folder */
export async function findMinio(): Promise<string> {
  try {
    await access(PROGRAM, constants.X_OK);
    return PROGRAM;
  } catch (error) {
    throw new StartError(
      'MinIO is not installed, which several processes need to share images: run make tools (needs Go).',
      { cause: error },
    );
  }
}
