import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from '@sightline/contracts/client';
import fc from 'fast-check';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { endLeases } from '../support/fixtures/end-leases.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { TOY_PACKS, writeOtherToyFaces, writeToyPacks } from '../support/fixtures/toy-packs.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { modelId } from '../support/services/activate-model.ts';
import { ConstantLoad, type LoadReport } from '../support/services/constant-load.ts';
import { ok } from '../support/services/ok.ts';
import { sampled, testInSoak } from '../support/gates/soak.ts';
import {
  ACTIVATION_POINTS,
  type ActivationPoint,
  after,
  type Reach,
  untilThere,
} from './activation-points.ts';
import {
  type BreakablePlatform,
  openBreakablePlatform,
  type Victim,
} from './breakable-platform.ts';

/** The tests activate these models in turn, so that each activation loads a model. */
const MODELS = ['other-faces', 'third-faces', TOY_PACKS.face] as const;

/** The killed processes, and the points of an activation. */
const KILLS = sampled<readonly [Victim, ActivationPoint]>(
  [
    ['inference-1', 'while it is loaded'],
    ['worker', 'before the switch commits'],
    ['worker', 'while faces are embedded'],
    ['api-1', 'when it is asked for'],
    ['worker', 'when it has switched'],
    ['inference-1', 'when it has switched'],
    ['api-1', 'when it has switched'],
  ],
  2,
);
const VICTIMS: readonly Victim[] = ['worker', 'inference-1', 'api-1', 'database', 'minio'];
/** The delay spans a whole activation, which takes about two seconds with a toy model. */
const round = fc.record({
  victim: fc.constantFrom(...VICTIMS),
  afterMs: fc.nat({ max: 4_000 }),
});
const ROUNDS = 30;
const SEED = Date.now() % 1_000_000;

const resources = new AsyncDisposableStack();
let stormy: BreakablePlatform;
/** One client for each API process. */
let clients: readonly [Client, Client];
const people: string[] = [];
let activations = 0;

describeWithMinio('a platform', () => {
  describeWithQdrantProcess('with a worker', () => {
    describe('on its own stores', () => {
      beforeAll(open);
      afterAll(() => resources.disposeAsync());

      test.each(KILLS)('ends an activation over which %s is killed %s', killAt);

      testInSoak('ends activations over which processes are killed at random', async () => {
        process.stderr.write(`random kills with seed ${SEED}\n`);
        for (const { victim, afterMs } of fc.sample(round, { seed: SEED, numRuns: ROUNDS })) {
          await killWhen(victim, after(afterMs));
        }
      });
    });
  });
});

async function open(): Promise<void> {
  const packs = resources.use(await temporaryFolder()).path;
  await writeToyPacks(packs);
  await writeOtherToyFaces(packs, MODELS[0]);
  await writeOtherToyFaces(packs, MODELS[1], 'transposed');
  stormy = resources.use(
    await openBreakablePlatform({
      SIGHTLINE_MODELS_DIR: packs,
      SIGHTLINE_FACE_MODEL: TOY_PACKS.face,
      SIGHTLINE_OBJECT_MODEL: TOY_PACKS.object,
    }),
  );
  const { urls, apiKey } = stormy.platform;
  const [one, other] = urls.map((baseUrl) => createClient({ baseUrl, fetch, apiKey }));
  clients = [one!, other!];
  for (const name of ['Ada', 'Bea']) await enroll(name);
}

function killAt(victim: Victim, point: ActivationPoint): Promise<void> {
  return killWhen(victim, ACTIVATION_POINTS[point]);
}

async function killWhen(victim: Victim, reach: Reach): Promise<void> {
  const { name, id } = await nextModel();
  const load = beginLoad();
  const ask = () => void clients[0].activateModel({ path: { id }, body: {} }).catch(() => null);
  const held = await reach(stormy, { modelId: id, name, ask });
  await stormy.kill(victim);
  await held[Symbol.asyncDispose]();
  if (victim === 'worker') await endLeases(stormy);
  await stormy.start(victim);
  await untilEnded();
  expect(await endOfLast()).toMatchObject({ status: 'done', announced: 1 });
  expect(await activeFaces()).toBe(name);
  await load.untilMore(4);
  expectNoneWrong(await load.stop());
  await expectAllKnown();
}

/** Enrolls a person whose face the next model must embed, and returns that model. */
async function nextModel(): Promise<{ readonly name: string; readonly id: number }> {
  await enroll(`Person-${activations}`);
  const name = MODELS[activations++ % MODELS.length]!;
  return { name, id: await modelId(stormy.platform.client, name) };
}

async function enroll(name: string): Promise<void> {
  const file = await drawPhoto({ faces: [name] });
  ok(await untilAvailable(() => clients[1].enrollFace({ body: { name, file } })));
  people.push(name);
}

function beginLoad(): ConstantLoad {
  return ConstantLoad.begin(clients.map((client, i) => ({ client, name: people[i]! })));
}

/** Waits for the end of all activations. */
async function untilEnded(): Promise<void> {
  await untilThere(
    stormy,
    `SELECT WHERE NOT EXISTS
       (SELECT FROM jobs WHERE type = 'activate_model' AND finished_at IS NULL)`,
  );
}

interface EndedActivation {
  readonly modelId: number;
  readonly status: string;
  /** The number of events about the end of the job. */
  readonly announced: number;
}

async function endOfLast(): Promise<EndedActivation> {
  const [job] = await stormy.query<EndedActivation>(
    `SELECT (params ->> 'modelId')::bigint AS "modelId", status, (SELECT count(*) FROM outbox o
       WHERE o.event = 'job.done' AND (o.data ->> 'job_id')::bigint = j.id) AS announced
     FROM jobs j WHERE type = 'activate_model' ORDER BY id DESC LIMIT 1`,
  );
  return job!;
}

async function activeFaces(): Promise<string> {
  const rows = await stormy.query<{ name: string }>(
    `SELECT name FROM models WHERE status = 'active' AND task = 'face'`,
  );
  expect(rows).toHaveLength(1);
  return rows[0]!.name;
}

/** Requests may fail during a kill, but no answer may be wrong. */
function expectNoneWrong({ wrong, failures }: LoadReport): void {
  expect(wrong).toEqual([]);
  const unexpected = failures.filter(
    (failure) => !/"status":(503|429)|fetch failed|terminated/.test(failure),
  );
  expect(unexpected).toEqual([]);
}

/** Expects that each API process recognizes the people enrolled last. */
async function expectAllKnown(): Promise<void> {
  for (const client of clients) {
    for (const name of people.slice(-3)) {
      const file = await drawPhoto({ faces: [`${name} 2`] });
      const { faces } = ok(await untilAvailable(() => client.identifyFaces({ body: { file } })));
      expect(faces).toMatchObject([{ label: name }]);
    }
  }
}
