import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';

/** What `make tools` builds. */
export const MINIO_BINARY = resolve(import.meta.dirname, '../../../.cache/tools/minio');

export function hasMinioBinary(): boolean {
  try {
    accessSync(MINIO_BINARY, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
