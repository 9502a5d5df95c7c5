import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { serveImage } from '../../support/servers/image-server.ts';
import {
  startStandalone,
  type RunningStandalone,
} from '../../support/services/running-standalone.ts';
import { ok } from '../../support/services/ok.ts';
import { drawPhoto, freshPhoto } from '../../support/fixtures/draw-photo.ts';
import { isForEnvironment } from '@sightline/contracts/define-contract';
import { IS_SOAK } from '../../support/gates/soak.ts';
import { arbitraryRequest, rightRequest } from './arbitrary-request.ts';
import type { Material } from './arbitrary-value.ts';
import {
  credentialsOf,
  expectPromised,
  isJson,
  isSuccess,
  isWellFormed,
  send,
  show,
} from './ask.ts';
import type { Caller, FuzzRequest, KeyName } from './fuzz-request.ts';
import type { Answer } from './judge-answer.ts';
import { writeCatalog, zipOfToyFaces } from '../../support/fixtures/published-pack.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { TOY_PACKS } from '../../support/fixtures/toy-packs.ts';
import { KnownValues } from './known-values.ts';
import type { OpenApi } from './openapi-document.ts';
import { operationsOf, type Operation } from './openapi-operations.ts';
import { FUZZING_MS } from '../../support/waits/limits.ts';

/** Each round begins with some records and the default settings. */
const ROUNDS = IS_SOAK ? 250 : 1;
/** The number of concurrent callers, and of each caller's requests in a round. */
const CALLERS = 3;
const RUNS = 100;
/** The most polls for a group, 100 ms apart. */
const MOST_POLLS = 300;

const UNKNOWN_IDS = Array.from({ length: 300 }, (_, i) => 1_000_000 + i);

const SEED = 20_260_101;
/**
 * Resets this setting after every request that may have changed it: a threshold of 0 would find hundreds of faces in
 * each picture, which takes seconds.
 */
const COSTLY_SETTING = 'face.detection_threshold';

const PEOPLE = {
  Ada: { faces: ['Ada'] },
  Beate: { faces: ['Beate'] },
} as const;
const OBJECTS = { objects: ['apple', 'bus'] } as const;
const PHOTOS = [
  ...Object.values(PEOPLE),
  OBJECTS,
  { faces: ['Ada 2'] },
  { faces: ['Clara', 'Doris'], objects: ['broccoli'] },
  {},
] as const;

describe('every operation of the OpenAPI document, fuzzed', () => {
  let service: RunningStandalone;
  let images: Awaited<ReturnType<typeof serveImage>>;
  let material: Omit<Material, 'known'>;
  let strangers = 0;
  let operations: Operation[];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let secrets: Readonly<Record<KeyName | 'session', string>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder.path, 'faces.zip'), await zipOfToyFaces());
    const address = pathToFileURL(join(folder.path, 'faces.zip')).href;
    service = await startStandalone({
      SIGHTLINE_LOG_LEVEL: 'info',
      SIGHTLINE_MODEL_CATALOG: await writeCatalog(folder.path, [{ name: TOY_PACKS.face, address }]),
      SIGHTLINE_MODEL_FILES: folder.path,
    });
    const photos = await Promise.all(
      PHOTOS.map(async (photo) => new Uint8Array(await (await drawPhoto(photo)).arrayBuffer())),
    );
    images = await serveImage(photos[0]!);
    const full = await service.createKey({ right: 'full' });
    const read = await service.createKey({ right: 'read' });
    const session = await signIn();
    secrets = { admin: service.apiKey, full: full.key, read: read.key, session };
    const document = await fetch(`${service.url}/openapi.json`);
    // The tests of accounts have the other operations, because these would end the sessions of each other.
    operations = operationsOf((await document.json()) as OpenApi).filter(
      ({ right }) => right === 'none' || isForEnvironment(right),
    );
    await begin();
    const archive = await service.fetch('/api/export', { method: 'POST' });
    const bytes = new Uint8Array(await archive.arrayBuffer());
    material = { images: photos, archives: [bytes], imageUrls: [images.url] };
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await images[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** Restores the default settings, creates some records, and returns the values that requests can name. */
  async function begin(): Promise<KnownValues> {
    const { client } = service;
    const known = new KnownValues();
    for (const { key } of ok(await client.listSettings()).items) await reset(key);
    for (const [name, photo] of Object.entries(PEOPLE)) {
      // The person may be enrolled under another name by now; the problem then names that identity.
      const { body, problem } = await client.enrollFace({
        body: { name, file: await drawPhoto(photo) },
      });
      known.learn('/api/faces/enroll', body ?? problem);
    }
    for (const photo of [OBJECTS, PEOPLE.Ada]) {
      const found = ok(await client.detectAll({ body: { file: await drawPhoto(photo) } }));
      known.learn('/api/detect/all', found);
    }
    known.learn('/api/clusters', await groupOfStrangers());
    await learnDelivery(known);
    // Creates a job that has nothing to do, and one that is at work for a while.
    for (const ids of [[], UNKNOWN_IDS]) {
      const query = { async: true };
      const { body } = await client.reprocessImages({ query, body: { source_image_ids: ids } });
      known.learn('/api/jobs', body);
    }
    for (const path of [
      '/api/identities',
      '/api/face-embeddings',
      '/api/operations',
      '/api/settings',
      '/api/models',
    ]) {
      known.learn(path, await (await service.fetch(path)).json());
    }
    return known;
  }

  /** Sends a test message to a webhook, whose address does not exist. */
  async function learnDelivery(known: KnownValues): Promise<void> {
    const { client } = service;
    const { items } = ok(await client.listWebhooks({}));
    const url = 'https://hooks.example/';
    const id = items[0]?.id ?? ok(await client.registerWebhook({ body: { url } })).id;
    known.learn('/api/webhooks', { id });
    await client.pingWebhook({ path: { id } });
    known.learn('/api/webhooks/deliveries', ok(await client.listDeliveries({ path: { id } })));
  }

  /** Stores two photos of one stranger, and returns the list of groups with theirs. */
  async function groupOfStrangers(): Promise<unknown> {
    const { client } = service;
    const faces = [`Zed-${strangers++}`];
    for (let photos = 0; photos < 2; photos++) {
      ok(await client.detectFaces({ body: { file: await freshPhoto({ faces }) } }));
    }
    for (let polls = 0; ; polls++) {
      const list = ok(await client.listClusters());
      if (list.clusters.length > 0 || polls === MOST_POLLS) return list;
      await delay(100);
    }
  }

  async function reset(key: string): Promise<void> {
    ok(await service.client.putSetting({ path: { key }, body: { value: null } }));
  }

  /** Signs the first administrator in, who owns the environment of the first key. */
  async function signIn(): Promise<string> {
    const password = (await readFile(join(service.data, 'admin-password'), 'utf8')).trim();
    const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'admin@localhost', password }),
    });
    return response.headers.getSetCookie()[0]!.split(';')[0]!.split('=')[1]!;
  }

  async function ask(operation: Operation, request: FuzzRequest): Promise<Answer> {
    const credentials = credentialsOf(request.caller, secrets);
    const answer = await send(service.url, operation, { request, credentials });
    expectPromised(operation, answer, Object.values(secrets));
    const shown = show(answer);
    const refusal = refusalOf(operation, request);
    const isRight = refusal === undefined ? answer.status !== 401 : answer.status === refusal;
    expect({ isRight, refusal, shown }).toEqual({ isRight: true, refusal, shown });
    if (answer.status === 200 && request.target.startsWith('/media/')) {
      expect(request.target).toContain(createHash('sha256').update(answer.body).digest('hex'));
    }
    return answer;
  }

  /**
   * Expects that a repeated `Idempotency-Key` replays a success. Streamed answers are left out, because they
   * are not stored.
   */
  async function askAgain(operation: Operation, request: FuzzRequest, first: Answer) {
    if (!('Idempotency-Key' in request.headers) || !isSuccess(first.status)) return;
    if (first.body.length > 0 && !isJson(first)) return;
    const again = await ask(operation, request);
    expect(show(again)).toBe(show(first));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  }

  /** Sends random requests for random operations, one after the other. */
  async function askAtRandom(known: KnownValues, seed: number): Promise<void> {
    const steps = operations.map((operation) => ({
      weight: isHeavy(operation) ? 1 : 2,
      arbitrary: arbitraryRequest(operation, { ...material, known }).map((request) => ({
        operation,
        request,
        [fc.toStringMethod]: () => `${operation.id} ${fc.stringify(request)}`,
      })),
    }));
    const property = fc.asyncProperty(fc.oneof(...steps), async ({ operation, request }) => {
      const answer = await ask(operation, request);
      if (isJson(answer)) known.learn(operation.path, JSON.parse(show(answer)));
      await askAgain(operation, request, answer);
      if (request.target.includes(COSTLY_SETTING)) await reset(COSTLY_SETTING);
    });
    await fc.assert(property, { numRuns: RUNS, seed, endOnFailure: true });
  }

  test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'round %#: answers are as promised and never a defect',
    async (round) => {
      const known = await begin();
      const seeds = Array.from({ length: CALLERS }, (_, caller) => SEED + round * CALLERS + caller);
      await Promise.all(seeds.map((seed) => askAtRandom(known, seed)));
    },
    FUZZING_MS,
  );

  test(
    'every operation can be reached',
    async () => {
      expect(operations.length).toBeGreaterThan(30);
      let known = await begin();
      const reach = async (operation: Operation): Promise<readonly number[]> => {
        // An enrollment is refused if the face is already enrolled under another name, as all people of the other
        // photos may be by now. So each operation gets a photo of a new person.
        const stranger = await drawPhoto({ faces: [`Zoe ${operation.id}`] });
        const images = [...material.images, new Uint8Array(await stranger.arrayBuffer())];
        const requests = fc.sample(rightRequest(operation, { ...material, images, known }), {
          numRuns: 60,
          seed: SEED,
        });
        const statuses: number[] = [];
        while (requests.length > 0 && !statuses.some(isSuccess)) {
          statuses.push((await ask(operation, requests.pop()!)).status);
        }
        return statuses;
      };
      for (const operation of operations.toSorted(deletingLast)) {
        const { id } = operation;
        let statuses = await reach(operation);
        if (!statuses.some(isSuccess)) {
          // Other operations may have deleted the records that this one needs.
          known = await begin();
          statuses = await reach(operation);
        }
        const reached = statuses.some(isSuccess);
        expect({ id, statuses, reached }).toEqual({ id, statuses, reached: true });
      }
    },
    FUZZING_MS,
  );

  test('the service is alive, and what it stores is consistent', async () => {
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
    expect(await service.inconsistencies()).toEqual([]);
  });

  test('the log has no keys and no defects', () => {
    const log = service.log.join('\n');
    for (const secret of Object.values(secrets)) expect(log).not.toContain(secret);
    const defects = service.log.filter(
      (line) => (JSON.parse(line) as { level: unknown }).level === 'error',
    );
    expect(defects).toEqual([]);
  });
});

/** The status for a caller without the required right; undefined if the caller has it. */
function refusalOf({ right }: Operation, { caller, target }: FuzzRequest): 401 | 403 | undefined {
  if (right === 'none' || !isWellFormed(target)) return undefined;
  if (caller === null || typeof caller === 'object') return 401;
  // The session is an administrator's.
  const refused: readonly Caller[] = right === 'admin' ? ['full', 'read'] : ['read'];
  const isRefused = right !== 'read' && refused.includes(caller);
  return isRefused ? 403 : undefined;
}

/** Whether the operation takes a tenth of a second or more, or deletes records that other requests need. */
function isHeavy({ method, bodies }: Operation): boolean {
  return method === 'DELETE' || 'multipart/form-data' in bodies;
}

function deletingLast(one: Operation, other: Operation): number {
  return Number(one.method === 'DELETE') - Number(other.method === 'DELETE');
}
