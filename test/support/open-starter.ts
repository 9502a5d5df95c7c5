import type { ModelPack } from '@sightline/engine/packs/manifest';
import { createLogger } from '@sightline/platform/logging/logger';
import { type MadeStarter, makeStarter } from '@sightline/model-host/starter/make-starter';
import { STARTER_PACKS } from '@sightline/model-host/starter/starter-packs';
import { STARTER_CACHE } from './starter-cache-folder.ts';

/** The starter packs from the cache of the tests, where they are made unless they are there. */
export async function makeStarters(): Promise<MadeStarter[]> {
  const made: MadeStarter[] = [];
  for (const starter of Object.values(STARTER_PACKS)) {
    made.push(
      await makeStarter(starter, {
        cache: STARTER_CACHE,
        environment: process.env,
        logger: createLogger({ level: 'silent' }),
        signal: new AbortController().signal,
      }),
    );
  }
  return made;
}

/**
 * The starter packs that can be had; says on stderr why one cannot. For programs; suites have
 * `describeWithStarter`.
 */
export async function openStarter(): Promise<ModelPack[]> {
  const packs: ModelPack[] = [];
  for (const made of await makeStarters()) {
    if (made.pack !== null) packs.push(made.pack);
    else console.error(`Left out: ${made.reason}.`);
  }
  return packs;
}
