import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from '@sightline/contracts/client';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import {
  TOY_PACKS,
  TOY_WORDS,
  writeOtherToyFaces,
  writeToyPacks,
  writeToyWords,
} from '../../support/fixtures/toy-packs.ts';
import { describeWithMinio } from '../../support/servers/minio.ts';
import { QdrantProcess } from '../../support/servers/qdrant-process.ts';
import { describeWithQdrantProcess } from '../../support/servers/qdrant.ts';
import { activateModel, modelId } from '../../support/services/activate-model.ts';
import { ConstantLoad, type LoadReport } from '../../support/services/constant-load.ts';
import { ok } from '../../support/services/ok.ts';
import { type RunningPlatform, startPlatform } from '../../support/services/running-platform.ts';
import { similarProcess } from '../../support/services/similar-process.ts';
import { preferredFaces, statusOnce } from '../../support/services/held-models.ts';
import { IS_SOAK, testInSoak } from '../../support/gates/soak.ts';

const PEOPLE = ['Ada', 'Bea', 'Cem'] as const;
const OTHER = 'other-faces';
/** The swaps of both slots: to another model and back. */
const SWAPS = [OTHER, TOY_WORDS.name, TOY_PACKS.face, TOY_PACKS.object];
const ROUNDS = IS_SOAK ? 5 : 1;

const resources = new AsyncDisposableStack();
let packs: string;
let platform: RunningPlatform;
/** A client of each process that answers requests. */
let clients: readonly Client[];

describeWithMinio('a platform', () => {
  describeWithQdrantProcess('of two API and two inference processes', () => {
    describe('with a worker', () => {
      beforeAll(open);
      afterAll(() => resources.disposeAsync());

      test(
        'switches models under load: no request fails, and every known person stays recognized',
        swap,
      );
      test('keeps its model everywhere if one process cannot load the new one', veto);
      testInSoak(
        'goes on with a late process that cannot have the active model, and with one that can',
        late,
      );
      testInSoak(
        'refuses a setting that requires a missing GPU, and keeps serving with the others',
        noGpu,
      );
    });
  });
});

async function open(): Promise<void> {
  packs = resources.use(await temporaryFolder()).path;
  await Promise.all([writeToyPacks(packs), writeOtherToyFaces(packs, OTHER), writeToyWords(packs)]);
  const { url } = resources.use(await QdrantProcess.start());
  const settings = {
    SIGHTLINE_MODELS_DIR: packs,
    SIGHTLINE_FACE_MODEL: TOY_PACKS.face,
    SIGHTLINE_OBJECT_MODEL: TOY_PACKS.object,
  };
  platform = resources.use(await startPlatform({ settings, qdrant: url.origin }));
  const { urls, apiKey } = platform;
  clients = urls.map((baseUrl) => createClient({ baseUrl, fetch, apiKey }));
  for (const name of PEOPLE) {
    const file = await drawPhoto({ faces: [name] });
    ok(await platform.client.enrollFace({ body: { name, file } }));
  }
}

async function swap(): Promise<void> {
  const before = await identities();
  const load = beginLoad();
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of SWAPS) {
      await activateModel(platform.client, name);
      await load.untilMore(10);
      expect(await activeModels()).toContain(name);
    }
  }
  const report = await load.stop();
  expectAllRight(report);
  expect(report.answers).toBeGreaterThan(SWAPS.length * ROUNDS * 10);
  expect([...report.models].sort()).toEqual([...SWAPS].sort());
  expect(await identities()).toEqual(before);
  expect(await platform.inconsistencies()).toEqual([]);
}

async function veto(): Promise<void> {
  const own = resources.use(await temporaryFolder()).path;
  await cp(packs, own, { recursive: true });
  const second = await restartSecond({ SIGHTLINE_MODELS_DIR: own });
  const file = join(own, OTHER, 'recognizer.onnx');
  const whole = await readFile(file);
  await writeFile(file, Buffer.concat([whole, Buffer.of(0)]));
  const load = beginLoad();

  const path = { id: await modelId(platform.client, OTHER) };
  const { status, problem } = await platform.client.activateModel({ path, body: {} });
  expect({ status, problem }).toMatchObject({
    status: 422,
    problem: {
      code: 'model_load_failed',
      detail: expect.stringMatching(/other-faces cannot be loaded: .*recognizer\.onnx/),
    },
  });
  expect(await activeModels()).toContain(TOY_PACKS.face);
  const first = platform.process('inference-1');
  for (const each of [first, second]) {
    const { ready, models } = await statusOnce(each, () => true);
    expect({ ready, names: models.map(({ name }) => name) }).toEqual({
      ready: true,
      names: [TOY_PACKS.face, TOY_PACKS.object],
    });
  }
  await load.untilMore(10);

  await writeFile(file, whole);
  await activateModel(platform.client, OTHER);
  await load.untilMore(10);
  expectAllRight(await load.stop());
}

async function late(): Promise<void> {
  const old = resources.use(await temporaryFolder()).path;
  await writeToyPacks(old);
  const load = beginLoad();
  const without = await restartSecond({ SIGHTLINE_MODELS_DIR: old, SIGHTLINE_S3_ENDPOINT: '' });
  const { report } = await statusOnce(without, (status) =>
    status.report.some(({ state }) => state === 'failed'),
  );
  expect(report.find(({ state }) => state === 'failed')!.error!.message).toMatch(
    /cannot get the files/,
  );
  expect(await without.plan.isReady()).toBe(false);
  await load.untilMore(10);

  const others = await restartSecond({});
  await statusOnce(others, (status) => preferredFaces(status) === OTHER);
  expect(await others.plan.isReady()).toBe(true);
  await load.untilMore(10);
  const { wrong, failures } = await load.stop();
  // The API processes retry the requests that were in flight when the inference process was killed.
  expect({ wrong, failures }).toEqual({ wrong: [], failures: [] });
}

async function noGpu(): Promise<void> {
  const put = (value: boolean | null) =>
    platform.client.putSetting({ path: { key: 'system.use_gpu' }, body: { value } });
  const load = beginLoad();
  expect(await put(true)).toMatchObject({
    status: 400,
    problem: { detail: expect.stringContaining('there is no GPU') },
  });
  for (const value of [false, null]) {
    ok(await put(value));
    // The worker sends the changed setting to the inference processes within two seconds.
    await sleep(2_500);
    const { provider, checks } = ok(await platform.client.getHealth());
    expect({ provider, checks }).toMatchObject({ provider: 'cpu', checks: { vectors: 'ok' } });
  }
  expectAllRight(await load.stop());
}

let second: ReturnType<RunningPlatform['process']> | undefined = undefined;

async function restartSecond(settings: Readonly<Record<string, string>>) {
  const original = platform.process('inference-2');
  await (second ?? original).kill();
  second = resources.use(similarProcess(original, { name: 'inference-2', settings }));
  second.start();
  await second.untilReady(new AbortController().signal);
  return second;
}

function beginLoad(): ConstantLoad {
  return ConstantLoad.begin(clients.map((client, i) => ({ client, name: PEOPLE[i]! })));
}

function expectAllRight({ failures, wrong }: LoadReport): void {
  expect({ failures, wrong }).toEqual({ failures: [], wrong: [] });
}

async function identities() {
  const { items } = ok(await platform.client.listIdentitySummaries({ query: { type: 'face' } }));
  return items.map(({ id, label, embedding_count }) => ({ id, label, embedding_count }));
}

async function activeModels(): Promise<readonly string[]> {
  const { models } = ok(await platform.client.getHealth());
  return models.map(({ name }) => name);
}
