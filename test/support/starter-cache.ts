import { describe } from '@jest/globals';
import { createLogger } from '@sightline/platform/logging/logger';
import { makeStarter } from '@sightline/standalone/starter/make-starter';
import { STARTER_PACKS } from '@sightline/standalone/starter/starter-packs';
import { STARTER_CACHE } from './starter-cache-folder.ts';

/** Why a starter pack cannot be had here; null where all are in the cache of the tests. */
const missing = await fillCache();

async function fillCache(): Promise<string | null> {
  for (const pack of Object.values(STARTER_PACKS)) {
    const made = await makeStarter(pack, {
      cache: STARTER_CACHE,
      environment: process.env,
      logger: createLogger({ level: 'silent' }),
      signal: new AbortController().signal,
    });
    if (made.pack === null) return made.reason;
  }
  return null;
}

/** A suite that needs the starter packs; named as skipped where no source has their files. */
export function describeWithStarter(name: string, body: () => void): void {
  if (missing === null) describe(name, body);
  else describe.skip(`${name} [skipped: ${missing.replaceAll(/[[\]]/g, ' ')}]`, body);
}
