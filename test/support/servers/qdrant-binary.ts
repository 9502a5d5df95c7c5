import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';

/** The link that `make tools` creates. */
export const QDRANT_BINARY = resolve(import.meta.dirname, '../../../.cache/tools/qdrant');

export function hasQdrantBinary(): boolean {
  try {
    accessSync(QDRANT_BINARY, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
