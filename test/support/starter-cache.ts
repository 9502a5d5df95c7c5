import { describe } from '@jest/globals';
import { makeStarters } from './open-starter.ts';

/** Why a starter pack cannot be had here; null where all are in the cache of the tests. */
const missing = await whyMissing();

async function whyMissing(): Promise<string | null> {
  for (const made of await makeStarters()) if (made.pack === null) return made.reason;
  return null;
}

/** A suite that needs the starter packs; named as skipped where no source has their files. */
export function describeWithStarter(name: string, body: () => void): void {
  if (missing === null) describe(name, body);
  else describe.skip(`${name} [skipped: ${missing.replaceAll(/[[\]]/g, ' ')}]`, body);
}
