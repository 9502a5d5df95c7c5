import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { FilePackStore } from '@sightline/media/fs/file-pack-store';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { toyPacksFolder } from '@sightline/test/support/fixtures/toy-packs-folder';
import { openEngine } from './open-engine.ts';
import { openModels } from './open-models.ts';

const MINUTE_MS = 60 * 1000;
/** The revision of a downloaded pack that no setting requests. */
const FETCHED = 'a'.repeat(64);

let resources: AsyncDisposableStack;
let folder: string;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  folder = resources.use(await temporaryFolder()).path;
});
afterEach(async () => {
  jest.useRealTimers();
  await resources.disposeAsync();
});

async function openToyEngine() {
  const environment = {
    SIGHTLINE_MODELS_DIR: toyPacksFolder(),
    SIGHTLINE_CACHE: folder,
    SIGHTLINE_STARTER: 'off',
    SIGHTLINE_WORKERS: '1',
  };
  const { config } = parseConfig(environment, ['models']);
  const logger = createLogger({ level: 'silent' });
  const signal = new AbortController().signal;
  const packs = await openModels({ config, logger, signal });
  const store = await FilePackStore.open({ folder: join(folder, 'store') });
  return openEngine({ packs, store, config, logger, registry: createMetricsRegistry() });
}

test('an engine looks for unused packs five minutes after its start, and every hour after that', async () => {
  const mark = join(folder, 'fetched', `${FETCHED}.unused`);
  await mkdir(join(folder, 'fetched', FETCHED), { recursive: true });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  await using engine = await openToyEngine();
  jest.advanceTimersByTime(4 * MINUTE_MS);
  expect(await readdir(join(folder, 'fetched'))).toEqual([FETCHED]);
  jest.advanceTimersByTime(MINUTE_MS);
  await untilThere(mark);
  await rm(mark);
  jest.advanceTimersByTime(60 * MINUTE_MS);
  await untilThere(mark);
  await engine.close();
  expect(jest.getTimerCount()).toBe(0);
});

async function untilThere(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
}
