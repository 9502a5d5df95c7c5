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
import { activateModel } from '../../support/services/activate-model.ts';
import { ConstantLoad } from '../../support/services/constant-load.ts';
import { ok } from '../../support/services/ok.ts';
import { type RunningPlatform, startPlatform } from '../../support/services/running-platform.ts';

const IS_SOAK = process.env.SIGHTLINE_TEST_SOAK === '1';
const PEOPLE = ['Ada', 'Bea', 'Cem'] as const;
const OTHER = 'other-faces';
/** Models of both slots, to and fro. */
const SWAPS = [OTHER, TOY_WORDS.name, TOY_PACKS.face, TOY_PACKS.object];
const ROUNDS = IS_SOAK ? 5 : 1;

const resources = new AsyncDisposableStack();
let packs: string;
let platform: RunningPlatform;
/** Of each of the processes that answer. */
let clients: readonly Client[];

describeWithMinio('a platform', () => {
  describeWithQdrantProcess('of two API and two inference processes', () => {
    describe('with a worker', () => {
      beforeAll(open);
      afterAll(() => resources.disposeAsync());

      test('exchanges models under load: no request fails, and nobody becomes a stranger', swap);
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
  const callers = clients.map((client, i) => ({ client, name: PEOPLE[i]! }));
  const load = ConstantLoad.begin(callers);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of SWAPS) {
      await activateModel(platform.client, name);
      await load.untilMore(10);
      expect(await activeModels()).toContain(name);
    }
  }
  const { answers, failures, wrong, models } = await load.stop();
  expect({ failures, wrong }).toEqual({ failures: [], wrong: [] });
  expect(answers).toBeGreaterThan(SWAPS.length * ROUNDS * 10);
  expect([...models].sort()).toEqual([...SWAPS].sort());
  expect(await identities()).toEqual(before);
  expect(await platform.sightline('check', '--deep', '--json')).toBe('[]\n');
}

/** Who is known, with so many references. */
async function identities() {
  const { items } = ok(await platform.client.listIdentities({ query: { type: 'face' } }));
  return items.map(({ id, label }) => ({ id, label }));
}

async function activeModels(): Promise<readonly string[]> {
  const { models } = ok(await platform.client.getHealth());
  return models.map(({ name }) => name);
}
