import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { sampled } from '../support/gates/soak.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { LETHAL } from './lethal-image.ts';
import { type BreakableService, processFaults } from './breakable-service.ts';
import { openBreakableInference } from './breakable-inference.ts';
import { curationRoutes, storedImageRoutes } from './curation-routes.ts';
import { describeFaults, type FaultEffect } from './describe-faults.ts';
import { expectConsistent, expectMatched, expectWhole } from './expect-kept.ts';
import { InferenceProcess } from '../support/services/inference-process.ts';
import { routes } from './routes.ts';
import { seedService, type Route, type FaultFixture } from './fault-fixture.ts';

const { detect, enroll, identify, verify, test: look } = routes;
const analyzing = [detect, enroll, identify, verify, look, ...Object.values(storedImageRoutes)];
const effect: FaultEffect = {
  refuses: analyzing,
  // Capabilities are not among the routes, because the service caches what inference reports about
  // its models.
  answers: [
    routes.identities,
    routes.imageIds,
    routes.stats,
    routes.readImage,
    routes.curate,
    ...Object.values(curationRoutes),
    routes.openFile,
    routes.openRange,
    routes.docs,
    routes.openapi,
    routes.livez,
    routes.readyz,
  ],
  health: 'degraded',
};

describe('with the models in processes of their own, the service', () => {
  describe('one process of them', () => {
    const resources = new AsyncDisposableStack();
    let broken: BreakableService;
    let fixture: FaultFixture;

    beforeAll(async () => {
      broken = resources.use(await openBreakableInference());
      fixture = await seedService(resources.use(await startStandalone(broken.settings)));
    });
    afterAll(() => resources.disposeAsync());

    describeFaults({
      dependency: 'Inference',
      get: () => ({ broken, fixture }),
      code: 'inference_unavailable',
      faults: { killed: effect, hung: effect, slow: effect },
    });

    test('leaves rows and files that agree', async () => {
      await expectConsistent(fixture);
    });
  });

  describe('one of two inference processes', () => {
    const resources = new AsyncDisposableStack();
    let first: InferenceProcess;
    let fixture: FaultFixture;

    beforeAll(async () => {
      const processes = await Promise.all([InferenceProcess.start(), InferenceProcess.start()]);
      for (const each of processes) resources.use(each);
      [first] = processes;
      const SIGHTLINE_INFERENCE_URL = processes.map(({ url }) => url).join(',');
      fixture = await seedService(
        resources.use(await startStandalone({ SIGHTLINE_INFERENCE_URL })),
      );
    });
    afterAll(() => resources.disposeAsync());

    test.each(sampled(['hung', 'killed'] as const, 1))('%s is hardly noticed', async (name) => {
      const fault = processFaults(first)[name];
      await fault.begin();
      const asked = [...analyzing, ...analyzing, ...analyzing];
      const notes = await Promise.all(asked.map((route) => askTwice(route, fixture)));
      for (const route of analyzing) await askTwice(route, fixture);
      await fault.end();
      const noticed = notes.filter((status) => status !== 200);
      process.stderr.write(
        `one of two inference processes ${name}: ${noticed.length} of ${notes.length} asked again\n`,
      );
      await expectMatched(fixture);
      await expectWhole(fixture);
      await expectConsistent(fixture);
    });
  });
});

describe('an inference process', () => {
  const resources = new AsyncDisposableStack();
  let inference: InferenceProcess;
  let service: RunningStandalone;

  beforeAll(async () => {
    const preload = `--import=${resolve(import.meta.dirname, 'lethal-image.ts')}`;
    const settings = { SIGHTLINE_WORKERS: '2', NODE_OPTIONS: preload };
    inference = resources.use(await InferenceProcess.prepare(settings));
    await inference.start();
    service = resources.use(await startStandalone({ SIGHTLINE_INFERENCE_URL: inference.url }));
  });
  afterAll(() => resources.disposeAsync());

  test('that an image kills whenever it gets it: the item of the image fails, and no other one', async () => {
    const comments = [undefined, undefined, LETHAL, undefined, undefined];
    const file = await Promise.all(
      comments.map((comment, i) =>
        drawPhoto({ faces: [`Person ${i}`], comment: comment ?? `${i}` }),
      ),
    );
    const { client } = service;
    const begun = await client.detectBulk({ query: { async: true }, body: { file } });
    const { job_id } = okWith(202, begun);
    let deaths = 0;
    const read = async () => ok(await client.getJob({ path: { id: job_id } }));
    let job = await read();
    for (; job.status === 'pending' || job.status === 'running'; job = await read()) {
      if (!inference.isRunning) {
        deaths++;
        await inference.start();
      }
      await sleep(50);
    }
    expect(job.status).toBe('done');
    const ended = ok(await client.getJobResults({ path: { id: job_id } }));
    if (ended === undefined || !('results' in ended)) throw new Error('The results are a file.');
    const codes = ended.results.map(({ error }) => error?.code ?? 'ok');
    expect(codes).toEqual(['ok', 'ok', 'internal_error', 'ok', 'ok']);
    // Two deaths of the image alone count. Before, it may have run beside others.
    expect([2, 3]).toContain(deaths);
  });
});

/** Retries on 503, as clients do, and returns the first status that is not 503. */
async function askTwice(route: Route, fixture: FaultFixture): Promise<number> {
  const first = await route.ask(fixture);
  if (first.ok) return first.status;
  expect([429, 503]).toContain(first.status);
  const again = await askAgain(route, fixture, first);
  expect({ route: route.name, first: first.status, status: again.status }).toMatchObject({
    status: 200,
  });
  return first.status;
}

/**
 * Retries a request, as long as the answer is 429: the remaining process accepts fewer images of one caller at a time
 * than two processes do.
 */
async function askAgain(route: Route, fixture: FaultFixture, refusal: Response): Promise<Response> {
  const seconds = Number(refusal.headers.get('retry-after') ?? 0);
  if (refusal.status === 429) await sleep(seconds * 1_000);
  const answer = await route.ask(fixture);
  return answer.status === 429 ? askAgain(route, fixture, answer) : answer;
}
