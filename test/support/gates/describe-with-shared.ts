import { describe } from '@jest/globals';
import { hasShared } from '../fixtures/shared.ts';

/** A suite that needs the shared folder; skipped if it does not exist. */
export function describeWithShared(name: string, body: () => void): void {
  if (hasShared()) describe(name, body);
  else describe.skip(`${name} [skipped: no shared material; set SIGHTLINE_SHARED]`, body);
}
