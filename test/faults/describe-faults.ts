import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ok } from '../support/ok.ts';
import { photo } from '../support/photo.ts';
import { type RunningStandalone, startStandalone } from '../support/running-standalone.ts';
import type { BreakableService, Fault, FaultName } from './breakable-service.ts';

/** A service with something in it. */
export interface Situation {
  readonly service: RunningStandalone;
  /** Of an image that was stored before. */
  readonly image: {
    readonly id: number;
    readonly url: string;
    readonly cropUrl: string;
    readonly detectionId: number;
  };
}

/** One request to the service; its name is for people. */
export interface Route {
  readonly name: string;
  ask(situation: Situation): Promise<Response>;
}

export interface FaultTable {
  /** The name of what breaks. */
  readonly dependency: string;
  readonly open: () => Promise<BreakableService>;
  /** What cannot be answered during a fault, and what can. */
  readonly faults: Readonly<Partial<Record<FaultName, FaultEffect>>>;
}

export interface FaultEffect {
  readonly refuses: readonly Route[];
  readonly answers: readonly Route[];
}

/**
 * What needs a broken service answers 503 while it is broken, the rest goes on, nobody has to do
 * anything for things to be as before, and nothing that was acknowledged is lost. That the answers
 * come in time is asserted by the order: the fault ends when all of them are there, and no sooner.
 */
export function describeFaults({ dependency, open, faults }: FaultTable): void {
  const effects = Object.entries(faults) as [FaultName, FaultEffect][];
  describe.each(effects)(`${dependency} %s`, (name, effect) => {
    const resources = new AsyncDisposableStack();
    let fault: Fault | undefined;
    let situation: Situation;

    beforeAll(async () => {
      const broken = resources.use(await open());
      fault = broken.faults[name];
      const service = await startStandalone({ ...broken.settings, SIGHTLINE_WORKERS: '1' });
      situation = await furnish(resources.use(service));
    }, 120_000);
    afterAll(() => resources.disposeAsync(), 60_000);

    test('is answered for, and left behind without anybody', async () => {
      if (fault === undefined) {
        process.stderr.write(`${dependency} ${name}: not possible with this account\n`);
        return;
      }
      await fault.begin();
      const times = await expectRefused(effect.refuses, situation);
      for (const route of effect.answers) await expectAnswered(route, situation);
      await fault.end();
      for (const line of times) process.stderr.write(`${dependency} ${name}: ${line}\n`);
      for (const route of [...effect.refuses, ...effect.answers]) await untilOk(route, situation);
      await expectNothingLost(situation);
    }, 180_000);
  });
}

async function furnish(service: RunningStandalone): Promise<Situation> {
  const { client } = service;
  const known = await photo('people/007_B.jpg');
  ok(await client.enrollFace({ body: { name: 'Beatrice', file: known } }));
  const stored = ok(await client.detectFaces({ body: { file: await photo('people/010_2.jpg') } }));
  const { crop_url: cropUrl, detection_id: detectionId } = stored.faces[0]!;
  const image = { id: stored.source_image_id, url: stored.source_image_url, cropUrl, detectionId };
  return { service, image };
}

/** All at once, as they come. */
async function expectRefused(
  routes: readonly Route[],
  situation: Situation,
): Promise<readonly string[]> {
  return Promise.all(
    routes.map(async (route) => {
      const begun = performance.now();
      const response = await route.ask(situation);
      const milliseconds = Math.round(performance.now() - begun);
      const told = `${route.name}: ${response.status} after ${milliseconds} ms`;
      expect({ told, status: response.status }).toEqual({ told, status: 503 });
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(await response.json()).toMatchObject({ code: expect.stringMatching(/_unavailable$/) });
      return told;
    }),
  );
}

async function expectAnswered(route: Route, situation: Situation): Promise<void> {
  const response = await route.ask(situation);
  await response.arrayBuffer();
  const { name } = route;
  expect({ name, ok: response.ok, status: response.status }).toMatchObject({ name, ok: true });
}

/** Asks until it is answered, as any client does that heeds Retry-After. */
async function untilOk(route: Route, situation: Situation): Promise<void> {
  for (;;) {
    const response = await route.ask(situation);
    await response.arrayBuffer();
    if (response.ok) return;
    expect({ name: route.name, status: response.status }).toMatchObject({ status: 503 });
  }
}

async function expectNothingLost({ service }: Situation): Promise<void> {
  const { ids } = ok(await service.client.listImageIds());
  for (const id of ids) {
    const image = ok(await service.client.getImageFaces({ path: { id } }));
    const urls = [image.source_image_url, ...image.faces.map(({ crop_url }) => crop_url)];
    for (const url of urls) {
      const response = await service.fetch(url);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect({ url, status: response.status }).toEqual({ url, status: 200 });
      expect([...bytes.subarray(0, 2), ...bytes.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xd9]);
    }
  }
  expect(await service.inconsistencies()).toEqual([]);
}
