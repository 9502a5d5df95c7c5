import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sampleFiles, zipOf } from '@sightline/archive-zip/testing/sample-archive';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { type Client, createClient } from '@sightline/contracts/client';
import {
  type BodyContract,
  isForEnvironment,
  type RouteContract,
} from '@sightline/contracts/define-contract';
import type { ProblemCode } from '@sightline/contracts/problem';
import { problemsOf } from '@sightline/contracts/problems-of';
import { MAX_UNFINISHED_JOBS } from '@sightline/core/jobs/job';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { samplePack } from '@sightline/core/models/testing/sample-pack';
import {
  ImageCorrupt,
  ImageFetchFailed,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import { clusterId, parseClusterId } from '@sightline/core/similarity/cluster-id';
import { indexChanges } from '@sightline/core/vectors/index-changes';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { SendResult } from '@sightline/core/webhooks/send-message';
import { MAX_WEBHOOKS } from '@sightline/core/webhooks/webhook';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { Spool } from '@sightline/platform/http/spool';
import { changed } from '@sightline/test/support/fixtures/changed';
import { createJob, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { Announcements } from '../testing/announcements.ts';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { countsOf } from '../testing/counts-of.ts';
import { faceAt, oneFace, photo } from '../testing/people.ts';
import { sampleDelivery, type SampleLibrary, sampleLibrary } from '../testing/sample-library.ts';
import { callWithSample, type Operation, type Samples } from '../testing/sample-request.ts';

const contracts = Object.entries(API_CONTRACTS) as [Operation, RouteContract][];
const writing = contracts.filter(([, { right }]) => isForEnvironment(right) && right !== 'read');
/** The tests of sign-on have the callback, which sends browsers to pages. */
const reading = contracts.filter(
  ([name, { right }]) => (right === 'read' || right === 'none') && name !== 'finishSignOn',
);

/** Problems that need a fault, time or another installation. Other suites test them. */
const ELSEWHERE: readonly ProblemCode[] = [
  'request_timeout',
  'store_unavailable',
  'in_progress',
  'activation_declared',
  'file_too_large',
  'model_load_failed',
  'no_model_store',
  'no_secret_key',
  // The tests of shares and of rates send many requests.
  'rate_limited',
  // The tests of callers have sessions.
  'cross_site',
  'no_environment',
  'password_change_required',
];
/** Whether an endpoint lists this code although no single request leads to it. */
const NEVER: Readonly<
  Partial<Record<ProblemCode, (name: Operation, contract: RouteContract) => boolean>>
> = {
  // These endpoints refuse every key that is not an administrator's with another code first.
  forbidden: (_, { right }) => right === 'admin',
  // Many requests in progress lead to it at every endpoint, which the tests of shares have.
  overloaded: (_, { problems }) => !problems.includes('overloaded'),
  // These endpoints do not match, so they do not use the index.
  vectors_unavailable: (name) => name === 'detectObjects' || name.startsWith('enroll'),
  // The environment is missing only for sessions, and during its deletion.
  not_found: (_, { problems }) => !problems.includes('not_found'),
  // A decision about a face fails with this code only if the active model changes during the request.
  inference_unavailable: (_, { problems }) => !problems.includes('vectors_unavailable'),
};
const UNKNOWN = 999_999_999;
const NOWHERE = 'http://nowhere.example/a.jpg';
const METADATA = 'http://169.254.169.254/';
/** The key of a request that has created an identity. */
const USED_KEY = { 'Idempotency-Key': 'used' };
/** Errors with which the analyzer refuses an image, by their codes. */
const REFUSED_IMAGES: Readonly<Partial<Record<ProblemCode, () => Error>>> = {
  image_too_large: () => new ImageTooLarge('Too large.'),
  unsupported_format: () => new UnsupportedFormat('No image.'),
  image_corrupt: () => new ImageCorrupt('Damaged.'),
  inference_unavailable: () => new InferenceUnavailable('Away.'),
};
const GIB = 1024 ** 3;
/** The most test messages to webhooks that may be in flight, over all tenants. */
const PINGS = 64;

let api: ApiServer;
let announcements: Announcements;
let ours: SampleLibrary;
let more: {
  readonly bus: number;
  /** A face without identity and embedding. */
  readonly stranger: number;
  /** A face of Anna's without embedding. */
  readonly withoutEmbedding: number;
  readonly openJob: number;
  /** An attempt to reach a webhook that is off now, and one whose event is gone. */
  readonly webhookOff: Readonly<Record<string, number>>;
  readonly expired: Readonly<Record<string, number>>;
  /** A job with a failed item. */
  readonly failedJob: number;
  readonly foreign: number;
  readonly idle: number;
  readonly pack: number;
  /**
   * Operations whose values are not kept, whose record was changed again, whose label is in use, and on which a job is at
   * work.
   */
  readonly operations: Readonly<Record<'expired' | 'changed' | 'taken' | 'atWork', number>>;
};
let adminKey: string;
let admin: Client;
let [isFull, isLost] = [false, false];
const ANSWERED: SendResult = {
  ok: true,
  statusCode: 200,
  durationMs: 1,
  error: null,
  retryAfterMs: null,
};
/** The result of all messages to webhooks. */
let endpoint = Promise.resolve(ANSWERED);

const room = new BodyMemory(GIB);
const memory = changed(room, {
  open: (holder) => {
    const share = room.open(holder);
    return {
      add: (bytes) => !isFull && share.add(bytes),
      [Symbol.dispose]: () => share[Symbol.dispose](),
    };
  },
});

/** The index of the API. Searches fail if `isLost` is true. */
const vectors = new Proxy({} as VectorIndex, {
  get: (_, name) => {
    const isAsked = name === 'searchIdentities' || name === 'requireAnswer';
    if (isLost && isAsked) return () => Promise.reject(new VectorsUnavailable('Down.'));
    const value: unknown = Reflect.get(api.vectors, name);
    return typeof value === 'function' ? (value.bind(api.vectors) as unknown) : value;
  },
});

beforeAll(async () => {
  api = await startApi(createMigratedDatabase, {
    vectors,
    bodies: {
      memory,
      spool: new Spool({ maxBytes: GIB, reserveBytes: 0 }),
      archives: new Spool({ maxBytes: Infinity, reserveBytes: 0 }),
    },
    fetchImage: () => Promise.reject(new ImageFetchFailed()),
    send: () => endpoint,
  });
  announcements = await Announcements.open(api.stores);
  ours = await sampleLibrary(api);
  adminKey = await api.createKey({ isAdmin: true });
  admin = createClient({ baseUrl: api.base, fetch, apiKey: adminKey });
  more = await furnish();
});
beforeEach(() => {
  [isFull, isLost] = [false, false];
  const fresh = {
    facesOf: (text: string) =>
      text === 'two' ? [faceAt(0), faceAt(90)] : oneFace(text.replace('blurred ', '')),
    before: () => Promise.resolve(),
    admit: () => undefined,
  };
  Object.assign(api.analyzer, fresh, { models: startingModels });
});
afterAll(() => api[Symbol.asyncDispose]());

let startingModels: ApiServer['analyzer']['models'];

async function furnish(): Promise<typeof more> {
  const { client, stores, analyzer } = api;
  startingModels = analyzer.models;
  analyzer.facesOf = () => [faceAt(0, { embedding: null })];
  const detect = async (text: string) => {
    const { body } = await client.detectFaces({ body: { file: photo(text) } });
    return body!.faces[0]!.detection_id;
  };
  const stranger = await detect('a stranger');
  const withoutEmbedding = await detect('Anna from behind');
  await client.confirmFace({
    path: { id: withoutEmbedding },
    body: { identity_id: ours.identity },
  });
  const { body: bus } = await admin.createIdentity({
    body: { label: 'bus', type: 'object' },
    headers: USED_KEY,
  });
  const { id: environmentId } = await stores.keys.environment(api.environment);
  const scope = { environmentId };
  const failedJob = await createJob(stores, { scope }, imagesJob(1));
  await client.cancelJob({ path: { id: failedJob.id } });
  const rename = async (id: number, label: string) => {
    const { headers } = await admin.renameIdentity({ path: { id }, body: { label } });
    return Number(headers.get('x-operation-id'));
  };
  const atWork = await rename(ours.other, 'Anna two');
  const work = { ...scope, operation: new CurrentOperation('rename', { id: atWork }), locks: [] };
  await stores.database.withEntities(work, (tx) => tx.jobs.create(imagesJob(1)));
  // After these jobs, the service refuses another job, because the environment has the maximum number of unfinished
  // jobs.
  const [openJob] = await Promise.all(
    Array.from({ length: MAX_UNFINISHED_JOBS - 1 }, () =>
      createJob(stores, { scope }, imagesJob(1)),
    ),
  );
  const url = 'https://hooks.example/more';
  await Promise.all(
    Array.from({ length: MAX_WEBHOOKS - 1 }, () => client.registerWebhook({ body: { url } })),
  );
  const { body: hooks } = await client.listWebhooks();
  const off = hooks!.items[0]!.id;
  const toOff = await sampleDelivery(api, { environmentId, webhook: off });
  await client.changeWebhook({ path: { id: off }, body: { is_active: false } });
  const on = Number(ours.samples.records.webhooks!.id);
  const gone = await sampleDelivery(api, { environmentId, webhook: on }, 'job.done');
  const named = { name: 'foreign', revision: 'c'.repeat(64), embeddingDim: 2 };
  const foreign = await stores.models.adopt(environmentId, [named], 1);
  if (foreign.kind !== 'adopted') throw new Error(foreign.kind);
  const [idle] = await stores.models.register([
    { ...FACE_MODEL, name: 'idle', revision: 'd'.repeat(64) },
  ]);
  await stores.catalog.sync([samplePack('pack')]);
  const { body: models } = await client.listModels();
  const pack = models!.items.find(({ name }) => name === 'pack')!.id;
  const undoDays = (value: number) =>
    admin.putSetting({ path: { key: 'curation.undo_days' }, body: { value } });
  await undoDays(0);
  const expired = await rename(ours.other, 'Zoe');
  await undoDays(7);
  const changed = await rename(ours.other, 'Anna three');
  await rename(ours.other, 'Anna too');
  const taken = await rename(bus!.id, 'coach');
  await admin.createIdentity({ body: { label: 'bus', type: 'object' } });
  while (await indexChanges({ ...stores, source: stores.indexSource, index: api.vectors }));
  return {
    operations: { expired, changed, taken, atWork },
    bus: bus!.id,
    stranger,
    withoutEmbedding,
    openJob: openJob!.id,
    failedJob: failedJob.id,
    webhookOff: { id: off, delivery_id: toOff },
    expired: { id: on, delivery_id: gone },
    foreign: foreign.ids[0]!,
    idle: idle!.id,
    pack,
  };
}

interface Refused {
  readonly status: number;
  readonly problem: object | null;
}

interface Changes {
  readonly client?: Client;
  readonly id?: number | string;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly file?: File;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** The parameters of the path of webhooks. */
  readonly webhook?: Readonly<Record<string, number>>;
}

class Endpoint {
  readonly name: Operation;
  readonly contract: RouteContract;

  constructor(name: Operation, contract: RouteContract) {
    this.name = name;
    this.contract = contract;
  }

  get body(): BodyContract | undefined {
    return this.contract.request.body;
  }

  takes(type: keyof BodyContract['maxBytes']): boolean {
    return this.body?.maxBytes[type] !== undefined;
  }

  send({ client = admin, id, ...changes }: Changes = {}): Promise<Refused> {
    const { members, file, headers, query, webhook } = changes;
    const { samples } = ours;
    const parameters = { id: id!, key: id!, delivery_id: id!, cluster_id: id! };
    const records = Object.keys(samples.records).map((each) => [each, parameters]);
    return callWithSample(client, this.name, {
      ...samples,
      ...(id !== undefined && { records: Object.fromEntries(records) as Samples['records'] }),
      members: { ...samples.members, ...members },
      ...(file && { file, files: { [this.name]: file } }),
      ...(headers && { headers }),
      ...(query && { query }),
      ...(webhook && { records: { ...samples.records, webhooks: webhook } }),
    });
  }

  async sendBytes(type: string, body: string): Promise<Refused> {
    const headers = { 'X-API-Key': adminKey, 'Content-Type': type };
    const { method } = this.contract;
    const response = await fetch(api.base + this.path, { method, headers, body });
    return { status: response.status, problem: (await response.json()) as object };
  }

  sendJson(body: object): Promise<Refused> {
    return this.sendBytes('application/json', JSON.stringify(body));
  }

  sendForm(body: string): Promise<Refused> {
    return this.sendBytes('multipart/form-data; boundary=x', body);
  }

  /** Sends the headers of a request whose body would be larger than the endpoint allows. */
  async announce(type: string, bytes: number): Promise<Refused> {
    const { method } = this.contract;
    const headers = { 'X-API-Key': adminKey, 'Content-Type': type, 'Content-Length': bytes };
    const sent = httpRequest(api.base + this.path, { method, headers });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const problem = (await json(response)) as object;
    sent.destroy();
    return { status: response.statusCode!, problem };
  }

  /** The endpoint's path, with the parameters of a stored record. */
  get path(): string {
    const { path } = this.contract;
    const [, collection = ''] = /\/([^/]+)\/\{/.exec(path) ?? [];
    const record = ours.samples.records[collection] ?? {};
    return path.replace(/\{(\w+)\}/, (_, name: string) => String(record[name]));
  }
}

type Way = (endpoint: Endpoint) => Promise<Refused | readonly Refused[]>;

const ofImage =
  (code: ProblemCode): Way =>
  (endpoint) => {
    api.analyzer.before = () => Promise.reject(REFUSED_IMAGES[code]!());
    return endpoint.send({ file: photo('77') });
  };

/** The id of the sample's group when it had another face. */
function formerCluster(): string {
  const { cosine, lowest } = parseClusterId(String(ours.samples.records.clusters!.cluster_id))!;
  return clusterId([lowest, lowest + 1, UNKNOWN], cosine);
}

const withRecord =
  (idOf: () => number | string): Way =>
  (endpoint) =>
    endpoint.send({ id: idOf() });

const withMembers =
  (membersOf: () => Readonly<Record<string, unknown>>): Way =>
  (endpoint) =>
    endpoint.send({ members: membersOf() });

const part = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** A request that leads to each refusal, for all endpoints that `OWN_WAYS` does not list. */
const WAYS: Readonly<Partial<Record<ProblemCode, Way>>> = {
  unauthenticated: async (endpoint) =>
    endpoint.send({ client: await api.clientOf({}), headers: { 'X-API-Key': 'wrong' } }),
  forbidden: async (endpoint) => endpoint.send({ client: await api.clientOf({ right: 'read' }) }),
  admin_required: (endpoint) => endpoint.send({ client: api.client }),
  invalid_request: (endpoint) => {
    const { contract } = endpoint;
    const ways: Promise<Refused>[] = [];
    if (contract.path.includes('{id}')) ways.push(endpoint.send({ id: 'x' }));
    if (contract.idempotent) ways.push(endpoint.send({ headers: { 'Idempotency-Key': 'a b' } }));
    if (endpoint.takes('application/json')) {
      ways.push(endpoint.sendJson([]));
    } else if (endpoint.body) ways.push(endpoint.sendForm('--x--\r\n'));
    return Promise.all(ways);
  },
  invalid_json: (endpoint) => endpoint.sendBytes('application/json', '{'),
  invalid_multipart: (endpoint) => endpoint.sendForm('no part'),
  unsupported_media_type: (endpoint) => endpoint.sendBytes('text/html', '<p>'),
  body_too_large: (endpoint) => {
    const [[type, most] = ['', 0]] = Object.entries(endpoint.body!.maxBytes);
    return endpoint.announce(`${type}; boundary=x`, most + 1);
  },
  field_too_large: (endpoint) => endpoint.sendForm(`${part('label', 'x'.repeat(2e6))}--x--\r\n`),
  too_many_parts: (endpoint) => endpoint.sendForm(`${part('label', 'x').repeat(2000)}--x--\r\n`),
  image_source: (endpoint) => endpoint.sendJson({ name: 'Carl' }),
  image_fetch_failed: (endpoint) => endpoint.sendJson({ name: 'Carl', image_url: NOWHERE }),
  image_too_large: ofImage('image_too_large'),
  unsupported_format: ofImage('unsupported_format'),
  image_corrupt: ofImage('image_corrupt'),
  inference_unavailable: ofImage('inference_unavailable'),
  no_active_model: (endpoint) => {
    api.analyzer.models = [];
    return endpoint.send({ file: photo('77') });
  },
  vectors_unavailable: (endpoint) => {
    isLost = true;
    return endpoint.send({ file: photo('77'), members: { label: undefined } });
  },
  overloaded: (endpoint) => {
    isFull = true;
    api.analyzer.admit = () => {
      throw new InferenceOverloaded(1);
    };
    return endpoint.takes('application/json') ? endpoint.sendJson({}) : endpoint.send();
  },
  too_many_jobs: (endpoint) => endpoint.send({ query: { async: true } }),
  idempotency_mismatch: (endpoint) => endpoint.send({ headers: USED_KEY }),
  not_found: withRecord(() => UNKNOWN),
  not_a_face: withRecord(() => ours.object),
  cluster_changed: withRecord(() => formerCluster()),
  type_mismatch: (endpoint) => endpoint.sendJson({ identity_id: more.bus }),
  target_refused: withMembers(() => ({ url: METADATA })),
  limit_reached: (endpoint) => endpoint.send(),
  face_count: (endpoint) => endpoint.send({ file: photo('two') }),
  no_embedding: (endpoint) => {
    api.analyzer.facesOf = () => [faceAt(0, { embedding: null })];
    return endpoint.send({ file: photo('from behind') });
  },
};

const setting =
  (id: string, value: unknown): Way =>
  (endpoint) =>
    endpoint.send({ id, members: { value } });

/** The endpoints for which the request of `WAYS` does not lead to the refusal, each with a request that does. */
const OWN_WAYS: Readonly<Partial<Record<Operation, Readonly<Partial<Record<ProblemCode, Way>>>>>> =
  {
    activateModel: {
      model_not_downloaded: withRecord(() => more.foreign),
      too_many_jobs: withRecord(() => more.idle),
    },
    bulkDetections: {
      not_found: withMembers(() => ({ identity_id: UNKNOWN })),
      type_mismatch: withMembers(() => ({ identity_id: more.bus, where: { type: 'face' } })),
      count_changed: withMembers(() => ({ action: 'delete', confirm_count: 999 })),
    },
    bulkImages: {
      count_changed: withMembers(() => ({ action: 'delete', confirm_count: 999 })),
    },
    cancelJob: { job_finished: (endpoint) => endpoint.send() },
    createIdentity: { identity_exists: withMembers(() => ({ label: 'Anna' })) },
    deleteJob: { job_unfinished: withRecord(() => more.openJob) },
    downloadModel: {
      no_source: (endpoint) => endpoint.send(),
      too_many_jobs: withRecord(() => more.pack),
    },
    enrollDetection: {
      not_assigned: withRecord(() => more.stranger),
      no_embedding: withRecord(() => more.withoutEmbedding),
    },
    enrollFace: {
      enrolled_elsewhere: withMembers(() => ({ name: 'Berta' })),
      external_ref_conflict: withMembers(() => ({ name: 'Anna', external_ref: 'theirs' })),
    },
    enrollIdentity: {
      enrolled_elsewhere: withRecord(() => ours.other),
      type_mismatch: withRecord(() => more.bus),
    },
    importArchive: {
      archive_invalid: async (endpoint) => endpoint.send({ file: await unsoundArchive() }),
    },
    listAudit: {
      admin_required: (endpoint) =>
        endpoint.send({ client: api.client, query: { scope: 'installation' } }),
    },
    listOperations: {
      forbidden: async (endpoint) =>
        endpoint.send({ client: await api.clientOf({ right: 'read' }), query: { key_id: 1 } }),
    },
    planActivation: { model_not_downloaded: withRecord(() => more.pack) },
    pingWebhook: { overloaded: floodOfPings },
    mergeIdentity: { type_mismatch: withMembers(() => ({ into: more.bus })) },
    putSetting: {
      invalid_request: setting('face.match_threshold', 'high'),
      not_found: setting('face.mood', 1),
      admin_required: (endpoint) =>
        endpoint.send({ client: api.client, id: 'system.use_gpu', members: { value: false } }),
      target_refused: setting('webhook.url', METADATA),
      limit_reached: setting('webhook.url', 'https://hooks.example/'),
    },
    renameIdentity: { identity_exists: withMembers(() => ({ label: 'Anna too' })) },
    retryJob: {
      job_unfinished: withRecord(() => more.openJob),
      nothing_to_retry: (endpoint) => endpoint.send(),
      too_many_jobs: withRecord(() => more.failedJob),
    },
    sendDelivery: {
      webhook_inactive: (endpoint) => endpoint.send({ webhook: more.webhookOff }),
      event_expired: (endpoint) => endpoint.send({ webhook: more.expired }),
    },
    restoreFace: { not_rejected: (endpoint) => endpoint.send() },
    reviewFaces: {
      // A key with the right to review may not choose by a filter, either.
      forbidden: async (endpoint) => {
        const where = { min_similarity: 0.5 };
        const body = { where, as_of: '2026-11-20', action: 'reject' } as const;
        const reviewer = await api.clientOf({ right: 'review' });
        const reader = await api.clientOf({ right: 'read' });
        return [await reviewer.reviewFaces({ body }), await endpoint.send({ client: reader })];
      },
      not_found: withMembers(() => ({ identity_id: UNKNOWN })),
      type_mismatch: withMembers(() => ({ identity_id: more.bus })),
      too_many_jobs: () =>
        admin.reviewFaces({
          query: { async: true },
          body: {
            action: 'reject',
            where: { detected_since: '2020-01-01' },
            as_of: '2100-01-01T00:00:00Z',
          },
        }),
    },
    undoOperation: {
      not_undoable: withRecord(() => more.operations.expired),
      job_unfinished: withRecord(() => more.operations.atWork),
      changed_since: (endpoint) =>
        endpoint.send({ id: more.operations.changed, members: { strict: true } }),
      identity_exists: (endpoint) =>
        endpoint.send({ id: more.operations.taken, members: { label: 'bus' } }),
    },
    setIdentityCover: { not_of_identity: withMembers(() => ({ detection_id: more.stranger })) },
  };

/** Sends many test messages to a webhook that does not answer. @returns the refused requests */
async function floodOfPings(ping: Endpoint): Promise<readonly Refused[]> {
  const hangs = Promise.withResolvers<SendResult>();
  endpoint = hangs.promise;
  const pings = Array.from({ length: PINGS }, () => ping.send());
  const first = await Promise.race(pings);
  hangs.resolve(ANSWERED);
  const all = await Promise.all(pings);
  expect(first).toMatchObject({ status: 429 });
  expect(all.filter(({ status }) => status === 200).length).toBeGreaterThan(PINGS / 4);
  return all.filter(({ status }) => status !== 200);
}

async function unsoundArchive(): Promise<File> {
  const zip = await zipOf(sampleFiles({ head: { product: 'x'.repeat(101) } }));
  return new File([new Uint8Array(zip)], 'library.zip');
}

const counts = async () => countsOf((await api.client.getStats()).body!);

const refusals = writing.flatMap(([name, contract]) =>
  problemsOf(contract)
    .filter((code) => !ELSEWHERE.includes(code) && !NEVER[code]?.(name, contract))
    .map((code) => [name, code, new Endpoint(name, contract)] as const),
);

describe('a refused request changes nothing and emits no event', () => {
  test.each(refusals)('%s: %s', async (name, code, endpoint) => {
    const way = OWN_WAYS[name]?.[code] ?? WAYS[code];
    if (way === undefined) throw new Error(`How is a request refused with ${code}?`);
    const before = await counts();
    await announcements.next();
    for (const refused of [await way(endpoint)].flat()) {
      expect(refused.problem).toMatchObject({ code });
    }
    expect(await announcements.next()).toEqual([]);
    expect(await counts()).toEqual(before);
  });
});

test.each(reading)('%s emits no event', async (name) => {
  await announcements.next();
  const { status } = await callWithSample(api.client, name, ours.samples);
  expect(status).toBe(200);
  expect(await announcements.next()).toEqual([]);
});
