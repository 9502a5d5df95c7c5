import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(
  process.env.SIGHTLINE_SHARED ?? resolve(import.meta.dirname, '../../../shared'),
);

/** Whether there are the models, photos and reference results that some tests and the bench need. */
export function hasShared(): boolean {
  return existsSync(folder);
}

/** The path of a shared model, photo or reference result. */
export function shared(...parts: string[]): string {
  return resolve(folder, ...parts);
}
