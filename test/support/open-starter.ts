import type { ModelPack } from '@sightline/engine/packs/manifest';
import { createLogger } from '@sightline/platform/logging/logger';
import { makeStarter } from '@sightline/standalone/starter/make-starter';
import { STARTER_PACKS } from '@sightline/standalone/starter/starter-packs';
import { STARTER_CACHE } from './starter-cache-folder.ts';

/**
 * The starter packs that can be had, from the cache of the tests; says on stderr why one cannot. For
 * programs; suites have `describeWithStarter`.
 */
export async function openStarter(): Promise<ModelPack[]> {
  const packs: ModelPack[] = [];
  for (const starter of Object.values(STARTER_PACKS)) {
    const made = await makeStarter(starter, {
      cache: STARTER_CACHE,
      environment: process.env,
      logger: createLogger({ level: 'silent' }),
      signal: new AbortController().signal,
    });
    if (made.pack !== null) packs.push(made.pack);
    else console.error(`Left out: ${made.reason}.`);
  }
  return packs;
}
