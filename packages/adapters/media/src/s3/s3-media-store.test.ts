import { once } from 'node:events';
import http, { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { collectOrphans } from '@sightline/core/maintenance/collect-orphans';
import { mediaKey } from '@sightline/core/media/media-key';
import { Dependency } from '@sightline/platform/resilience/dependency';
import { describeWithMinio } from '@sightline/test/support/servers/minio';
import { MinioProcess } from '@sightline/test/support/servers/minio-process';
import { openObservedProxy } from '@sightline/test/support/servers/minio-proxy';
import { Client } from 'minio';
import { AssumeRoleProvider } from 'minio/dist/esm/AssumeRoleProvider.mjs';
import { codeOf, toStoreUnavailable } from './s3-error.ts';
import { S3MediaStore } from './s3-media-store.ts';
import type { S3Keys, S3Options } from './s3-options.ts';
import { S3Ping } from './s3-ping.ts';

const ACCESS_KEY = 'AKIAACCESSHIDDEN';
const SECRET_KEY = 'much-hidden-secret';
const MEBIBYTE = 1024 * 1024;
/** How long the store may be silent, in ms: long enough for a busy machine, and short enough for a test to wait. */
const SILENCE_MS = 1_000;
/** How long the store may be silent in tests that need no limit, in ms. It is longer than any test. */
const ANY_SILENCE_MS = 3_600_000;

const someKey = () => mediaKey(1, 'crops', { digest: '0f'.repeat(32), extension: 'jpg' });
const bytes = new Uint8Array(1000).fill(7);
const large = new Uint8Array(20 * MEBIBYTE).fill(9);

const unavailable = (message: string) =>
  expect.objectContaining({ code: 'store_unavailable', message });

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => {
      throw new Error('It did not fail.');
    },
    (error: unknown) => error as Error,
  );
}

async function sizeOf(store: S3MediaStore, key: string): Promise<number | undefined> {
  const found = await store.open(key);
  await found?.body.cancel();
  return found?.size;
}

const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());

function open(options: Partial<S3Options> & Pick<S3Options, 'endpoint'>): S3MediaStore {
  return resources.use(
    new S3MediaStore({
      bucket: 'sightline',
      region: 'us-east-1',
      silenceMs: ANY_SILENCE_MS,
      keys: () => ({ accessKey: ACCESS_KEY, secretKey: SECRET_KEY }),
      ...options,
    }),
  );
}

describeWithMinio('a MinIO', () => {
  let minio: MinioProcess;

  beforeAll(async () => {
    minio = resources.use(await MinioProcess.start());
  });

  async function openPrepared(options: Partial<S3Options> = {}): Promise<S3MediaStore> {
    const store = open({ ...minio.options(), ...options });
    await store.prepare();
    return store;
  }

  test('that is killed during a put shows nothing of it, and is reached again later', async () => {
    const proxy = resources.use(await openObservedProxy(minio.endpoint));
    const store = await openPrepared({ endpoint: proxy.endpoint });
    const [whole, half] = [someKey(), someKey()];
    await store.put(whole, bytes);
    const putting = failureOf(store.put(half, large));
    await proxy.lostAfter(12 * MEBIBYTE);
    await minio.kill();
    expect(await putting).toEqual(unavailable('The media store cannot be reached.'));
    await minio.start();
    expect((await Array.fromAsync(store.list(''))).map(({ key }) => key)).toEqual([whole]);
    expect(await store.open(half)).toBeNull();
    await store.put(half, large);
    expect(await sizeOf(store, half)).toBe(large.length);
  });

  test('keeps no parts of a put that was aborted', async () => {
    const proxy = resources.use(await openObservedProxy(minio.endpoint));
    const options = { ...minio.options(), endpoint: proxy.endpoint };
    const store = await openPrepared(options);
    const controller = new AbortController();
    const reason = new Error('the caller left');
    const key = someKey();
    const putting = failureOf(store.put(key, large, controller.signal));
    await proxy.lostAfter(12 * MEBIBYTE);
    expect(await incompleteUploads(options, key)).toBe(1);
    controller.abort(reason);
    expect(await putting).toBe(reason);
    expect(await incompleteUploads(options, key)).toBe(0);
    expect(await store.open(key)).toBeNull();
  });

  test('that hangs ends every request in time, and goes on with the next', async () => {
    const options = minio.options();
    const unlimited = await openPrepared(options);
    const key = someKey();
    await unlimited.put(key, large);
    const store = open({ ...options, silenceMs: SILENCE_MS });
    const found = await store.open(key);
    const reading = found!.body.getReader();
    await reading.read();
    minio.hang();
    try {
      const readOn = async () => {
        while (!(await reading.read()).done);
      };
      const failures = [
        readOn(),
        store.put(someKey(), bytes),
        store.put(someKey(), large),
        store.open(key),
        // The test removes an object that it does not use later, because the store may carry out this request after
        // the pause.
        store.remove([someKey()]),
        Array.fromAsync(store.list('')),
        store.freeBytes(),
      ].map(failureOf);
      for (const failure of await Promise.all(failures)) {
        expect(failure).toEqual(unavailable('The media store does not answer.'));
      }
    } finally {
      minio.resume();
    }
    await unlimited.put(someKey(), bytes);
    expect(await sizeOf(unlimited, key)).toBe(large.length);
  });

  test('gets new keys when it refuses the previous ones', async () => {
    const { accessKey, secretKey } = minio;
    let keys = { accessKey, secretKey: 'of yesterday' };
    let read = 0;
    const store = open({
      ...minio.options(),
      keys: () => {
        read += 1;
        return keys;
      },
    });
    const refused = unavailable('The media store refuses these credentials.');
    await expect(store.prepare()).rejects.toEqual(refused);
    keys = { accessKey, secretKey };
    await store.prepare();
    expect(read).toBe(3);
    await store.put(someKey(), bytes);
    expect(read).toBe(3);
  });

  test('accepts temporary keys, with their token', async () => {
    const keys = await temporaryKeys(minio);
    const store = open({ ...minio.options(), keys: () => keys });
    await store.prepare();
    await store.put(someKey(), bytes);
    const without = { accessKey: keys.accessKey, secretKey: keys.secretKey };
    await expect(open({ ...minio.options(), keys: () => without }).prepare()).rejects.toMatchObject(
      { code: 'store_unavailable' },
    );
  });

  test('that hangs is detected by pings, however long a request may take', async () => {
    const { store, states } = watched(minio.options());
    await store.prepare();
    const key = someKey();
    await store.put(key, large);
    const found = await store.open(key);
    const reading = found!.body.getReader();
    await reading.read();
    minio.hang();
    try {
      const readOn = async () => {
        while (!(await reading.read()).done);
      };
      const failures = [
        readOn(),
        store.put(someKey(), bytes),
        store.put(someKey(), large),
        store.open(key),
        store.open(key, { first: 1, last: 2 }),
        store.remove([someKey()]),
        Array.fromAsync(store.list('')),
        store.freeBytes(),
      ].map(failureOf);
      for (const failure of await Promise.all(failures)) {
        expect(failure).toEqual(unavailable('The media store does not answer.'));
        expectNoSecrets(failure, minio);
      }
      expect(states).toEqual(['available', 'hanging']);
    } finally {
      minio.resume();
    }
    await untilAvailable(states);
    await store.put(someKey(), bytes);
    expect(await sizeOf(store, key)).toBe(large.length);
  });

  test('that was down is detected by pings when it is back', async () => {
    const { store, states } = watched(minio.options());
    await store.prepare();
    await minio.kill();
    try {
      const refused = unavailable('The media store cannot be reached.');
      for (let attempt = 0; attempt < 10; attempt++) {
        await expect(store.put(someKey(), bytes)).rejects.toEqual(refused);
      }
      expect(states).toEqual(['available', 'failing']);
    } finally {
      await minio.start();
    }
    await untilAvailable(states);
    await store.put(someKey(), bytes);
  });

  test('whose bucket was deleted counts as answering', async () => {
    const { store, states } = watched(minio.options());
    for (let attempt = 0; attempt < 10; attempt++) {
      await expect(store.put(someKey(), bytes)).rejects.toEqual(
        unavailable('The bucket does not exist in the media store.'),
      );
    }
    expect(states).toEqual(['available']);
  });

  test('is not written to by checks for room', async () => {
    const options = minio.options();
    const store = await openPrepared(options);
    await store.requireAnswer();
    await store.check();
    expect(await allKeys(options)).toEqual([]);
    await store.put(someKey(), bytes);
    await store.check();
    expect(await allKeys(options)).toHaveLength(1);
  });

  test('waits for a reader that takes longer than a store may', async () => {
    const options = minio.options();
    const key = someKey();
    await (await openPrepared(options)).put(key, large);
    // On a busy machine a real store is silent for longer than a prepared one.
    const silenceMs = 5_000;
    const store = open({ ...options, silenceMs });
    const reader = (await store.open(key))!.body.getReader();
    let size = 0;
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (size === 0) await delay(1.2 * silenceMs);
      size += chunk.value.length;
    }
    expect(size).toBe(large.length);
  });

  test('creates one bucket for several stores at once', async () => {
    const options = minio.options();
    const stores = Array.from({ length: 5 }, () => open(options));
    await Promise.all(stores.map((store) => store.prepare()));
    await Promise.all(stores.map((store) => store.put(someKey(), bytes)));
    expect(await Array.fromAsync(stores[0]!.list(''))).toHaveLength(5);
  });

  test('stores the owner of a bucket, beside the images', async () => {
    const store = open(minio.options());
    expect(await store.owner()).toBeNull();
    expect(await store.owner()).toBeNull();
    await store.claim('another');
    expect(await store.owner()).toBe('another');
    expect(await Array.fromAsync(store.list(''))).toEqual([]);
  });

  test('belongs to one of several installations that claim it at once, and later claims change nothing', async () => {
    const options = minio.options();
    const stores = Array.from({ length: 4 }, () => open(options));
    const names = stores.map((_, i) => `installation ${i}`);
    const seen = await Promise.all(
      stores.map(async (store, i) => {
        await store.claim(names[i]!);
        return store.owner();
      }),
    );
    expect(names).toContain(seen[0]);
    expect(new Set(seen).size).toBe(1);
    await stores[0]!.claim('latecomer');
    expect(await stores[0]!.owner()).toBe(seen[0]);
  });

  test('loses objects without a row, and no others', async () => {
    const store = await openPrepared();
    const [orphan, kept] = [someKey(), someKey()];
    for (const key of [orphan, kept]) await store.put(key, bytes);
    const maintenance = {
      orphans: (keys: readonly string[]) => Promise.resolve(keys.filter((key) => key !== kept)),
    };
    const deps = { media: store, maintenance };
    expect(await collectOrphans(deps, 60_000)).toBe(0);
    expect(await collectOrphans(deps, 0)).toBe(1);
    expect((await Array.fromAsync(store.list(''))).map(({ key }) => key)).toEqual([kept]);
  });

  test.each([
    ['access key', { accessKey: ACCESS_KEY }],
    ['secret key', { secretKey: SECRET_KEY }],
  ])('refuses a wrong %s, which the error does not contain', async (_, wrong) => {
    const { accessKey, secretKey } = minio;
    const keys = { accessKey, secretKey, ...wrong };
    const store = open({ ...minio.options(), keys: () => keys });
    for (const work of [
      () => store.prepare(),
      () => store.put(someKey(), bytes),
      () => store.open(someKey()),
    ]) {
      const failure = await failureOf(work());
      expect(failure).toEqual(unavailable('The media store refuses these credentials.'));
      expectNoSecrets(failure, keys);
    }
  });
});

/** A store with the guard that the service uses. */
function watched(options: S3Options): { store: S3MediaStore; states: string[] } {
  const states: string[] = [];
  const connection = resources.use(new S3Ping(options));
  const { guard } = resources.use(
    new Dependency({
      name: 'media',
      ping: (signal) => connection.ping(signal),
      unavailable: toStoreUnavailable,
      isFailure: (error) => /^(SILENT|E[A-Z]+|HTTP_5..)$/.test(codeOf(error)),
      logger: { info: () => undefined, warn: () => undefined },
      observer: { stateChanged: ({ state }) => states.push(state) },
    }),
  );
  return { store: open({ ...options, guard }), states };
}

async function temporaryKeys({ endpoint, accessKey, secretKey }: MinioProcess): Promise<S3Keys> {
  const lender = new AssumeRoleProvider({ stsEndpoint: endpoint.href, accessKey, secretKey });
  const lent = await lender.getCredentials();
  return {
    accessKey: lent.getAccessKey(),
    secretKey: lent.getSecretKey(),
    sessionToken: lent.getSessionToken() ?? null,
  };
}

async function untilAvailable(states: readonly string[]): Promise<void> {
  while (states.at(-1) !== 'available') await delay(20);
}

async function incompleteUploads(options: S3Options, key: string): Promise<number> {
  const query = client(options).listIncompleteUploadsQuery(options.bucket, key, '', '', '');
  return (await query).uploads.length;
}

/** Lists all keys of the bucket, including those that are not media keys. */
async function allKeys(options: S3Options): Promise<(string | undefined)[]> {
  const query = client(options).listObjectsV2Query(options.bucket, '', '', '', 1000, '');
  return (await query).objects.map(({ name }) => name);
}

function client({ endpoint, region, keys }: S3Options): Client {
  const server = { endPoint: endpoint.hostname, port: Number(endpoint.port), useSSL: false };
  const { accessKey, secretKey } = (keys as () => S3Keys)();
  return new Client({ ...server, accessKey, secretKey, region });
}

function expectNoSecrets(failure: Error, hidden: S3Keys) {
  const all = inspect(failure, { depth: 10, showHidden: true }) + JSON.stringify(failure);
  expect(all).not.toContain(hidden.accessKey);
  expect(all).not.toContain(hidden.secretKey);
  expect(all).not.toMatch(/Signature=|Credential=|https?:/);
}

async function serve(listener: RequestListener): Promise<{ endpoint: URL; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { endpoint: new URL(`http://127.0.0.1:${port}`), server };
}

function refusal(code: string, more = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message>${more}</Error>`;
}

const UPLOAD =
  '<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>';
const EMPTY_LIST = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';

test('readers who take their time leave connections for everything else', async () => {
  const { endpoint } = await serve((request, answer) => {
    request.resume();
    if (request.method === 'PUT') answer.end();
    else if (request.url!.includes('list-type')) answer.end(EMPTY_LIST);
    else answer.writeHead(200, { 'Content-Length': 1e9 }).write(bytes);
  });
  const store = open({ endpoint, maxReadingSockets: 2 });
  const [first] = await Promise.all([store.open(someKey()), store.open(someKey())]);
  let isOpen = false;
  const third = store.open(someKey()).then(() => (isOpen = true));
  await store.put(someKey(), bytes);
  expect(await Array.fromAsync(store.list(''))).toEqual([]);
  expect(isOpen).toBe(false);
  await first!.body.cancel();
  await third;
});

describe('an answer of another kind', () => {
  const warn = jest.spyOn(console, 'warn');
  afterEach(() => {
    // A warning would show that the SDK retries by itself.
    expect(warn).not.toHaveBeenCalled();
  });

  test('with the signed text and the key is not passed on', async () => {
    const more = `<AWSAccessKeyId>${ACCESS_KEY}</AWSAccessKeyId><StringToSign>${SECRET_KEY}</StringToSign><Resource>http://s3/x</Resource>`;
    const { endpoint } = await serve((_, answer) => {
      answer.writeHead(403).end(refusal('SignatureDoesNotMatch', more));
    });
    const failure = await failureOf(open({ endpoint }).put(someKey(), bytes));
    expect(failure).toEqual(unavailable('The media store refuses these credentials.'));
    expectNoSecrets(failure, { accessKey: ACCESS_KEY, secretKey: SECRET_KEY });
  });

  test('with a text instead of a code does not repeat it', async () => {
    const { endpoint } = await serve((_, answer) => {
      answer.writeHead(400).end(refusal(`see http://x/?key=${SECRET_KEY}`));
    });
    const failure = await failureOf(open({ endpoint }).put(someKey(), bytes));
    expect(failure).toEqual(unavailable('The media store failed.'));
    expectNoSecrets(failure, { accessKey: ACCESS_KEY, secretKey: SECRET_KEY });
  });

  test.each([
    ['InvalidAccessKeyId', 403, 'The media store refuses these credentials.'],
    ['InvalidBucketName', 400, 'The media store does not allow a bucket of this name.'],
    ['ExpiredToken', 400, 'The media store refuses these credentials.'],
    ['RequestTimeTooSkewed', 403, "The media store's clock and this machine's are too far apart."],
    ['PermanentRedirect', 301, 'The bucket is in another region.'],
    ['XMinioStorageFull', 507, 'The media store is full.'],
  ])('%s (%i) is a sentence', async (code, status, sentence) => {
    const { endpoint } = await serve((_, answer) => {
      answer.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(refusal(code));
    });
    await expect(open({ endpoint }).prepare()).rejects.toEqual(unavailable(sentence));
  });

  test('to a bucket that these credentials may not create is a sentence', async () => {
    const { endpoint } = await serve(({ method }, answer) => {
      if (method === 'GET') answer.writeHead(404).end(refusal('NoSuchBucket'));
      else answer.writeHead(403).end(refusal('AccessDenied'));
    });
    await expect(open({ endpoint }).prepare()).rejects.toEqual(
      unavailable('The bucket does not exist, and these credentials may not create it.'),
    );
  });

  test('of a web server is not taken for an S3', async () => {
    const { endpoint } = await serve((_, answer) => answer.end('<html>Welcome</html>'));
    const store = open({ endpoint });
    const refused = unavailable('The media store does not answer like an S3 server.');
    await expect(store.prepare()).rejects.toEqual(refused);
    await expect(store.owner()).rejects.toEqual(refused);
  });

  test('of something that is no web server is not taken for an S3', async () => {
    const server = createTcpServer((socket) => socket.end('220 smtp.example.org\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    resources.defer(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const store = open({ endpoint: new URL(`http://127.0.0.1:${port}`) });
    await expect(store.prepare()).rejects.toEqual(
      unavailable('The media store does not answer like an S3 server.'),
    );
  });

  test('that it is busy leads to one retry', async () => {
    let asked = 0;
    let busy = 1;
    const { endpoint } = await serve((request, answer) => {
      request.resume();
      asked += 1;
      busy -= 1;
      answer.writeHead(busy >= 0 ? 503 : 200).end(busy >= 0 ? refusal('SlowDown') : '');
    });
    const store = open({ endpoint });
    await store.put(someKey(), bytes);
    expect(asked).toBe(2);
    busy = 10;
    await expect(store.put(someKey(), bytes)).rejects.toEqual(
      unavailable('The media store failed.'),
    );
    expect(asked).toBe(4);
  });

  test.each([
    ['XMinioStorageFull', 507],
    ['XMinioAdminBucketQuotaExceeded', 400],
    ['QuotaExceeded', 403],
    ['InsufficientStorage', 507],
  ])(
    'to a put alone, that it is full (%s, %i), counts for later photos, and for health until a put succeeds',
    async (code, status) => {
      let isFull = true;
      let puts = 0;
      const { endpoint } = await serve((request, answer) => {
        request.resume();
        if (request.method === 'PUT') puts += 1;
        if (request.method === 'PUT' && isFull) answer.writeHead(status).end(refusal(code));
        else answer.end(EMPTY_LIST);
      });
      const store = open({ endpoint });
      const full = unavailable('The media store is full.');
      // These checks store no object, so they cannot notice that the bucket is full.
      await store.requireAnswer();
      await store.check();
      expect(puts).toBe(0);
      await expect(store.put(someKey(), bytes)).rejects.toEqual(full);
      await expect(store.requireAnswer()).rejects.toEqual(full);
      await expect(store.check()).rejects.toEqual(full);
      expect(await store.freeBytes()).toBeNull();
      expect(puts).toBe(1);
      isFull = false;
      await store.put(someKey(), bytes);
      await store.requireAnswer();
      await store.check();
    },
  );

  test('to a part of a large object, that it is full, counts likewise', async () => {
    const { endpoint } = await serve((request, answer) => {
      request.resume();
      if (request.method === 'PUT') answer.writeHead(507).end(refusal('XMinioStorageFull'));
      else if (request.method === 'DELETE') answer.writeHead(204).end();
      else answer.end(UPLOAD);
    });
    const store = open({ endpoint, requireAnswer: () => Promise.resolve() });
    const full = unavailable('The media store is full.');
    await expect(store.put(someKey(), large)).rejects.toEqual(full);
    await expect(store.requireAnswer()).rejects.toEqual(full);
  });

  test('that stops in the middle of an object fails its reading', async () => {
    const { endpoint } = await serve((_, answer) => {
      answer.writeHead(200, { 'content-length': '1000' }).write(bytes.subarray(0, 500));
    });
    const found = await open({ endpoint, silenceMs: SILENCE_MS }).open(someKey());
    await expect(Array.fromAsync(found!.body)).rejects.toEqual(
      unavailable('The media store does not answer.'),
    );
  });

  test('that ends in the middle of an object fails its reading', async () => {
    const { endpoint } = await serve((_, answer) => {
      answer.writeHead(200, { 'content-length': '1000' }).write(bytes.subarray(0, 500));
      setTimeout(() => answer.destroy(), 50);
    });
    const found = await open({ endpoint }).open(someKey());
    await expect(Array.fromAsync(found!.body)).rejects.toEqual(
      unavailable('The media store cannot be reached.'),
    );
  });

  test('without the size of the object is refused, and not read', async () => {
    const { endpoint, server } = await serve((_, answer) => void answer.write(bytes));
    const connected = once(server, 'connection') as Promise<[NodeJS.EventEmitter]>;
    const closed = connected.then(([socket]) => once(socket, 'close'));
    await expect(open({ endpoint }).open(someKey())).rejects.toEqual(
      unavailable('The media store does not answer like an S3 server.'),
    );
    await closed;
  });

  test('that it supports no conditions does not prevent the claim of a bucket', async () => {
    const puts: unknown[] = [];
    const { endpoint } = await serve(({ method, headers }, answer) => {
      if (method !== 'PUT') {
        answer.end(EMPTY_LIST);
        return;
      }
      puts.push(headers['if-none-match']);
      if (headers['if-none-match'] === undefined) answer.end();
      else answer.writeHead(501).end(refusal('NotImplemented'));
    });
    await open({ endpoint }).claim('another');
    expect(puts).toEqual(['*', undefined]);
  });

  test('with the whole object instead of the requested part is refused', async () => {
    const { endpoint } = await serve((_, answer) => answer.end(bytes));
    const opening = open({ endpoint }).open(someKey(), { first: 1, last: 2 });
    await expect(opening).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

test('an abort closes the connection', async () => {
  const { endpoint, server } = await serve(() => undefined);
  const controller = new AbortController();
  const reason = new Error('the caller left');
  const asked = once(server, 'request') as Promise<[{ socket: NodeJS.EventEmitter }]>;
  const opening = open({ endpoint }).open(someKey(), undefined, controller.signal);
  const [{ socket }] = await asked;
  const closed = once(socket, 'close');
  controller.abort(reason);
  await expect(opening).rejects.toBe(reason);
  await closed;
});

test('a bucket may be a part of the host name', async () => {
  const asked: unknown[] = [];
  const { endpoint } = await serve(({ headers, url }, answer) => {
    asked.push([headers.host, url]);
    answer.end();
  });
  const { request } = http;
  const spy = jest
    .spyOn(http, 'request')
    .mockImplementation(((
      options: http.RequestOptions,
      answer: (response: http.IncomingMessage) => void,
    ) => request({ ...options, host: '127.0.0.1' }, answer)) as typeof http.request);
  try {
    const key = someKey();
    const named = new URL(`http://s3.example.org:${endpoint.port}`);
    await open({ endpoint: named, virtualHosts: true }).put(key, bytes);
    await open({ endpoint: named }).put(key, bytes);
    expect(asked).toEqual([
      [`sightline.${named.host}`, `/${key}`],
      [named.host, `/sightline/${key}`],
    ]);
  } finally {
    spy.mockRestore();
  }
});

test('old unfinished uploads are freed at the start', async () => {
  const uploads = [
    [someKey(), 'recent', new Date()],
    [someKey(), 'old/+=', new Date('2026-01-01')],
    ['of-another-program', 'foreign', new Date('2026-01-01')],
  ] as const;
  const list = uploads.map(
    ([key, id, time]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${time.toISOString()}</Initiated></Upload>`,
  );
  const removed: (string | undefined)[] = [];
  const { endpoint } = await serve(({ method, url }, answer) => {
    if (method === 'DELETE') {
      removed.push(url);
      answer.writeHead(204).end();
    } else {
      answer.end(`<ListMultipartUploadsResult>${list.join('')}</ListMultipartUploadsResult>`);
    }
  });
  await open({ endpoint }).freeAbandoned();
  expect(removed).toEqual([`/sightline/${uploads[1][0]}?uploadId=old%2F%2B%3D`]);
});
