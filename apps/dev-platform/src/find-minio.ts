import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { ROOT } from './root.ts';

const PROGRAM = join(ROOT, '.cache/tools/minio');

/** @throws StartError if there is none: several processes cannot share a folder of images */
export async function findMinio(): Promise<string> {
  try {
    await access(PROGRAM, constants.X_OK);
    return PROGRAM;
  } catch (error) {
    throw new StartError(
      'There is no MinIO for the images of several processes: run make tools, which needs Go.',
      { cause: error },
    );
  }
}
