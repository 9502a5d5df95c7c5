import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { TOY_PACKS, writeOtherToyFaces, writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import { activateModel } from '../../support/services/activate-model.ts';
import { ok, okWith } from '../../support/services/ok.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';
import { preparedData } from '../../support/fixtures/temporary-data.ts';

const PEOPLE = ['Ada', 'Bea', 'Cem'];
const OTHER = 'other-faces';
const SWAPS = 4;

const resources = new AsyncDisposableStack();
let settings: Record<string, string>;
let service: RunningStandalone;

beforeAll(async () => {
  const { path: packs } = resources.use(await temporaryFolder());
  await writeToyPacks(packs);
  await writeOtherToyFaces(packs, OTHER);
  const data = resources.use(await preparedData());
  settings = {
    SIGHTLINE_DATA: data.path,
    SIGHTLINE_MODELS_DIR: packs,
    SIGHTLINE_FACE_MODEL: TOY_PACKS.face,
  };
  service = await startStandalone(settings);
  for (const name of PEOPLE) {
    const file = await drawPhoto({ faces: [name] });
    ok(await service.client.enrollFace({ body: { name, file } }));
  }
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await resources.disposeAsync();
});

async function activeFace(): Promise<string> {
  const { models } = ok(await service.client.getHealth());
  return models.find(({ task }) => task === 'face')!.name;
}

/** Repeats a request until the signal aborts, and expects that every answer names the person. */
async function ask(stop: AbortSignal, name: string): Promise<number> {
  const file = await drawPhoto({ faces: [`${name} 2`] });
  let answers = 0;
  for (; !stop.aborted; answers++) {
    const { faces } = ok(await service.client.identifyFaces({ body: { file } }));
    expect(faces).toMatchObject([{ label: name }]);
    const detected = ok(await service.client.detectFaces({ body: { file } }));
    expect(detected.faces).toMatchObject([{ label: name }]);
  }
  return answers;
}

const activate = (name: string): Promise<void> => activateModel(service.client, name);

test('models are switched under load: no request fails, and every known person stays recognized', async () => {
  const stop = new AbortController();
  const asking = Promise.all(PEOPLE.slice(0, 2).map((name) => ask(stop.signal, name)));
  const swapping = (async () => {
    for (let i = 0; i < SWAPS; i++) {
      const name = i % 2 === 0 ? OTHER : TOY_PACKS.face;
      await activate(name);
      expect(await activeFace()).toBe(name);
      await sleep(1_000);
    }
  })();
  try {
    await Promise.race([asking, swapping]);
  } finally {
    stop.abort();
  }
  await swapping;
  const answers = await asking;
  expect(Math.min(...answers)).toBeGreaterThan(SWAPS);
  expect(await activeFace()).toBe(TOY_PACKS.face);
  expect(await service.inconsistencies()).toEqual([]);
});

test('switched at once, matching is refused until enrolled faces are done, and nothing else is', async () => {
  const { client } = service;
  const newcomers = ['Dan', 'Eva', 'Fay', 'Gus', 'Hal', 'Ida', 'Jan', 'Kim', 'Leo', 'Mia'];
  for (const name of newcomers) {
    ok(await client.enrollFace({ body: { name, file: await drawPhoto({ faces: [name] }) } }));
  }
  const body = { reembed: 'after' } as const;
  const { items: models } = ok(await client.listModels());
  const path = { id: models.find(({ name }) => name === OTHER)!.id };
  expect(okWith(200, await client.activateModel({ path, body }))).toMatchObject({ name: OTHER });
  const file = await drawPhoto({ faces: ['Mia 2'], objects: ['bus'] });
  for (;;) {
    const { items } = ok(await client.listIdentities({ query: { limit: 5 } }));
    expect(items).toHaveLength(5);
    expect(ok(await client.detectObjects({ body: { file } })).objects).toHaveLength(1);
    const answer = await client.identifyFaces({ body: { file } });
    if (answer.status === 200) {
      expect(ok(answer).faces).toMatchObject([{ label: 'Mia' }]);
      break;
    }
    expect(answer.problem).toMatchObject({ status: 503, code: 'vectors_unavailable' });
    await sleep(50);
  }
  await activate(TOY_PACKS.face);
});

test('the database decides which model answers after a restart', async () => {
  await activate(OTHER);
  await service.stop();
  service = await startStandalone(settings);
  expect(await activeFace()).toBe(OTHER);
  const warnings = service.log.filter((line) =>
    line.includes('names a model that is not the active one'),
  );
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { task: 'face', found: TOY_PACKS.face, active: OTHER },
  ]);
  const file = await drawPhoto({ faces: ['Cem 3'] });
  const { faces } = ok(await service.client.identifyFaces({ body: { file } }));
  expect(faces).toMatchObject([{ label: 'Cem' }]);
});
