import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from '@jest/globals';

const folder = resolve(
  process.env.SIGHTLINE_SHARED ?? resolve(import.meta.dirname, '../../../shared'),
);

/** The path of a shared model, photo or reference result. */
export function shared(...parts: string[]): string {
  return resolve(folder, ...parts);
}

/** A suite that needs the shared material; named as skipped where that is absent. */
export function describeWithShared(name: string, body: () => void): void {
  if (existsSync(folder)) describe(name, body);
  else describe.skip(`${name} [skipped: no shared material; set SIGHTLINE_SHARED]`, body);
}
