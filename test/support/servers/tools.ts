import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';

type Tool = 'minio' | 'qdrant' | 'garage';

export function pathOfTool(tool: Tool): string {
  return resolve(import.meta.dirname, '../../../.cache/tools', tool);
}

export function hasTool(tool: Tool): boolean {
  try {
    accessSync(pathOfTool(tool), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
