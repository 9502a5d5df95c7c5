import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { ROOT } from './root.ts';

const PROGRAM = join(ROOT, '.cache/tools/minio');

/** @throws StartError if it is not installed: several processes cannot share a folder of images */
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
