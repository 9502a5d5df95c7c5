import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import {
  HttpImageAnalyzer,
  type HttpImageAnalyzerOptions,
} from '@sightline/analysis/http/http-image-analyzer';
import { Dependency } from '@sightline/platform/resilience/dependency';
import { FACES, photo, SMALL } from './analyzer-setup.ts';
import { type InferenceServer, openInferenceServer } from './inference-server.ts';

const ONLY_FACES = { face: true, object: false, workers: 1, queueLimit: 20 };
const REFUSED = {
  code: 'inference_unavailable',
  message: 'The inference process runs another release; try again later.',
  cause: { code: 'wire_version_unknown' },
};
const IGNORE = () => undefined;

let resources: AsyncDisposableStack;
beforeEach(() => {
  resources = new AsyncDisposableStack();
});
afterEach(() => resources.disposeAsync());

/** Starts a process of a release that speaks these versions. */
const serve = async (spoken: readonly number[], port?: number) =>
  openInferenceServer(ONLY_FACES, { spoken, port });

/**
 * Opens an adapter that speaks these versions, with a guard for each address as in the service. `warnings` contains
 * what the guards log.
 */
function open(servers: readonly InferenceServer[], spoken: readonly number[]) {
  const warnings: string[] = [];
  const logger = {
    info: IGNORE,
    warn: (_: unknown, message?: string) => void warnings.push(message ?? ''),
  };
  const guardOf: HttpImageAnalyzerOptions['guardOf'] = (address) =>
    new Dependency({
      name: 'inference',
      isFailure: () => true,
      ping: (signal) => address.ping(signal),
      unavailable: (cause) => new InferenceUnavailable('Inference hangs.', {}, { cause }),
      logger,
    });
  const urls = servers.map(({ url }) => url);
  const analyzer = resources.use(new HttpImageAnalyzer({ urls, spoken, guardOf }));
  const faces = async () => {
    const { faces: found } = await analyzer.analyze({ image: await photo(SMALL), faces: FACES });
    return found!.items.length;
  };
  return { analyzer, faces, warnings };
}

test.each([
  ['the release before', [1]],
  ['the same release', [1, 2]],
  ['the next release', [2, 3]],
])('speaks with a process of %s in the newest version of both', async (_release, theirs) => {
  const server = resources.use(await serve(theirs));
  const { analyzer, faces } = open([server], [1, 2]);
  expect(await faces()).toBe(2);
  expect(await analyzer.status()).toMatchObject({ ready: true });
  expect(await faces()).toBe(2);
});

test('passes over a process without a version in common, which is no failure', async () => {
  const far = resources.use(await serve([3, 4]));
  const near = resources.use(await serve([2, 3]));
  const alone = open([far], [1, 2]);
  for (let turn = 0; turn < 3; turn++) await expect(alone.faces()).rejects.toMatchObject(REFUSED);
  await expect(alone.analyzer.status()).rejects.toMatchObject(REFUSED);
  expect(alone.warnings).toEqual([]);
  const beside = open([far, near], [1, 2]);
  for (let turn = 0; turn < 4; turn++) expect(await beside.faces()).toBe(2);
  expect(beside.warnings).toEqual([]);
  expect(await beside.analyzer.statuses()).toHaveLength(1);
});

test('notices by itself that another release has taken the place of a process', async () => {
  const first = await serve([1]);
  const port = Number(first.url.port);
  const { analyzer, faces } = open([first], [1, 2]);
  try {
    await analyzer.status();
    expect(await faces()).toBe(2);
  } finally {
    await first[Symbol.asyncDispose]();
  }
  resources.use(await serve([2, 3], port));
  // The first request may fail, because the adapter may still use a connection to the previous process. The second
  // request must succeed.
  expect(await faces().catch(faces)).toBe(2);
});
