import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Answer,
  PublishedServer,
  serving,
} from '@sightline/model-downloads/testing/published-server';
import fc from 'fast-check';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { endLeases } from '../support/fixtures/end-leases.ts';
import { writeCatalog, zipOfToyFaces } from '../support/fixtures/published-pack.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { TOY_PACKS, writeToyPacks } from '../support/fixtures/toy-packs.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { activateModel, modelId } from '../support/services/activate-model.ts';
import { ok } from '../support/services/ok.ts';
import { IS_SOAK, sampled, testInSoak } from '../support/gates/soak.ts';
import { untilThere, untilWorkerWaits } from './activation-points.ts';
import {
  type BreakablePlatform,
  openBreakablePlatform,
  type Victim,
} from './breakable-platform.ts';

/** Brings a download to a point of its life, and keeps it at that point until disposal. */
type Reach = (jobId: number) => Promise<AsyncDisposable>;

const VICTIMS: readonly Victim[] = ['database', 'worker', 'minio', 'inference-1', 'api-1'];
/** The delay spans a whole download, which takes about a second. */
const round = fc.record({
  victim: fc.constantFrom(...VICTIMS),
  afterMs: fc.nat({ max: 1_500 }),
});
const ROUNDS = IS_SOAK ? 30 : 0;
const SEED = Date.now() % 1_000_000;
const WHILE_RECEIVED = sampled(VICTIMS, 1);
const BEFORE_RECORDED = sampled<Victim>(['worker', 'database', 'minio'], 1);
const MODELS = WHILE_RECEIVED.length + BEFORE_RECORDED.length + ROUNDS;
const FREE: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };

const resources = new AsyncDisposableStack();
let stormy: BreakablePlatform;
let server: PublishedServer;
/** The models that have not been downloaded yet, with their archives. */
const published: { readonly name: string; readonly zip: Uint8Array }[] = [];

describeWithMinio('a platform', () => {
  describeWithQdrantProcess('with a worker', () => {
    describe('on its own stores', () => {
      beforeAll(open);
      afterAll(() => resources.disposeAsync());

      test.each(WHILE_RECEIVED)(
        'ends a download over which %s is killed while it is received',
        (victim) => killWhen(victim, { answers: halfFirst, reach: whileReceived }),
      );

      test.each(BEFORE_RECORDED)(
        'ends a download over which %s is killed before it is recorded',
        (victim) => killWhen(victim, { answers: held, reach: beforeRecorded }),
      );

      testInSoak('ends downloads over which processes are killed at random', async () => {
        process.stderr.write(`random kills with seed ${SEED}\n`);
        for (const { victim, afterMs } of fc.sample(round, { seed: SEED, numRuns: ROUNDS })) {
          await killWhen(victim, { answers: slowly, reach: () => sleep(afterMs, FREE) });
        }
      });
    });
  });
});

async function open(): Promise<void> {
  const { path } = resources.use(await temporaryFolder());
  await writeToyPacks(path);
  server = resources.use(await PublishedServer.start());
  for (let i = 0; i < MODELS; i++) {
    published.push({ name: `published-${i}`, zip: await zipOfToyFaces(`variant ${i}`) });
  }
  const catalog = published.map(({ name }) => ({ name, address: `${server.url}/${name}.zip` }));
  stormy = resources.use(
    await openBreakablePlatform({
      SIGHTLINE_MODELS_DIR: path,
      SIGHTLINE_FACE_MODEL: TOY_PACKS.face,
      SIGHTLINE_OBJECT_MODEL: TOY_PACKS.object,
      SIGHTLINE_MODEL_CATALOG: await writeCatalog(path, catalog),
    }),
  );
}

interface Kill {
  readonly answers: (zip: Uint8Array) => Answer[];
  readonly reach: Reach;
}

async function killWhen(victim: Victim, { answers, reach }: Kill): Promise<void> {
  const { name, zip } = published.shift()!;
  const { client } = stormy.platform;
  server.answers = answers(zip);
  const id = await modelId(client, name);
  const { job_id: job } = ok(await client.downloadModel({ path: { id } }));
  const point = await reach(job);
  await stormy.kill(victim);
  await point[Symbol.asyncDispose]();
  if (victim === 'worker') await endLeases(stormy);
  await stormy.start(victim);
  // A worker that lives would otherwise wait for half a minute before it requests the rest.
  stalled?.destroy();
  await untilThere(stormy, 'SELECT FROM jobs WHERE id = $1 AND finished_at IS NOT NULL', [job]);
  expect(await endOf(job)).toEqual({
    status: 'done',
    total: zip.length,
    done: zip.length,
    announced: 1,
  });
  const model = ok(await untilAvailable(() => client.getModel({ path: { id } })));
  expect(model).toMatchObject({ status: 'downloaded', error: null, size_bytes: zip.length });
  await expectUsable(name);
}

/** Expects that all processes fetch the model from the store and recognize with it. */
async function expectUsable(name: string): Promise<void> {
  const { client } = stormy.platform;
  await activateModel(client, name);
  const file = await drawPhoto({ faces: ['Ada'] });
  const { faces } = ok(await untilAvailable(() => client.identifyFaces({ body: { file } })));
  expect(faces).toHaveLength(1);
}

async function endOf(job: number) {
  const [row] = await stormy.query(
    `SELECT status, total, done, (SELECT count(*) FROM outbox o
       WHERE o.event = 'job.done' AND (o.data ->> 'job_id')::bigint = j.id) AS announced
     FROM jobs j WHERE id = $1`,
    [job],
  );
  return row;
}

/** The last answer that stopped in the middle of an archive. */
let stalled: ServerResponse | null = null;

/**
 * The answers for two requests: the first stops in the middle of the archive, the second is
 * complete.
 */
function halfFirst(zip: Uint8Array): Answer[] {
  const half: Answer = (_request, response) => {
    response.writeHead(200, { etag: '"1"', 'content-length': zip.length });
    response.write(zip.subarray(0, zip.length / 2));
    stalled = response;
  };
  return [half, serving(zip)];
}

const CHUNKS = 10;
const CHUNK_PAUSE_MS = 70;

function slowly(zip: Uint8Array): Answer[] {
  const inChunks: Answer = (_request, response) => {
    response.writeHead(200, { etag: '"1"', 'content-length': zip.length });
    void (async () => {
      const size = Math.ceil(zip.length / CHUNKS);
      for (let at = 0; at < zip.length; at += size) {
        response.write(zip.subarray(at, at + size));
        await sleep(CHUNK_PAUSE_MS);
      }
      response.end();
    })();
  };
  return [inChunks, serving(zip)];
}

async function whileReceived(job: number): Promise<AsyncDisposable> {
  await untilThere(stormy, 'SELECT FROM jobs WHERE id = $1 AND done > 0', [job]);
  return FREE;
}

/** The answers of {@link held} wait for this promise. */
let gate = Promise.withResolvers<undefined>();

function held(zip: Uint8Array): Answer[] {
  gate = Promise.withResolvers();
  const answer = serving(zip);
  return [(request, response) => void gate.promise.then(() => answer(request, response))];
}

/**
 * Blocks the transaction that records the model, and waits until the worker has reached this
 * transaction. By then all files are in the store.
 */
async function beforeRecorded(): Promise<AsyncDisposable> {
  const lock = await stormy.lock('LOCK TABLE models IN SHARE MODE');
  gate.resolve(undefined);
  await untilWorkerWaits(stormy, '%models%');
  return lock;
}
