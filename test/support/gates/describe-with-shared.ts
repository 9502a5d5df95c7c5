import { describe } from '@jest/globals';
import { hasShared } from '../fixtures/shared.ts';

/** Describes a suite that needs the shared folder. It is skipped if the folder does not exist. */
export function describeWithShared(name: string, body: () => void): void {
  if (hasShared()) describe(name, body);
  else describe.skip(`${name} [skipped: no shared material; set SIGHTLINE_SHARED]`, body);
}
