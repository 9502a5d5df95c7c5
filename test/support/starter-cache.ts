import { describe, test } from '@jest/globals';
import { makeStarters } from './open-starter.ts';

/** Why a starter pack cannot be had here; null where all are in the cache of the tests. */
const missing = await whyMissing();

async function whyMissing(): Promise<string | null> {
  for (const made of await makeStarters()) if (made.pack === null) return made.reason;
  return null;
}

/**
 * A suite that needs the starter packs; named as skipped where no source has their files. With
 * `CI=true` it fails there: what could get the packages can get these, and nobody reads what was
 * skipped.
 */
export function describeWithStarter(name: string, body: () => void): void {
  if (missing === null) describe(name, body);
  else if (process.env.CI === 'true') describe(name, () => failFor(missing));
  else describe.skip(`${name} [skipped: ${missing.replaceAll(/[[\]]/g, ' ')}]`, body);
}

function failFor(reason: string): void {
  test('has the starter packs', () => {
    throw new Error(reason);
  });
}
