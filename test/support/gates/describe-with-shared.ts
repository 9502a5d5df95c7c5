import { describe } from '@jest/globals';
import { hasShared } from '../fixtures/shared.ts';

/** A suite that needs the shared material; named as skipped where that is absent. */
export function describeWithShared(name: string, body: () => void): void {
  if (hasShared()) describe(name, body);
  else describe.skip(`${name} [skipped: no shared material; set SIGHTLINE_SHARED]`, body);
}
