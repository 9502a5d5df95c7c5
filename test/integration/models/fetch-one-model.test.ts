import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { S3MediaStore } from '@sightline/media/s3/s3-media-store';
import { S3PackStore } from '@sightline/media/s3/s3-pack-store';
import {
  digestOf,
  PublishedServer,
  serving,
  status,
} from '@sightline/model-downloads/testing/published-server';
import { type FetchContext, FETCH_GROUPS, runFetch } from '@sightline/models/fetch/run-fetch';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { createLogger } from '@sightline/platform/logging/logger';
import { rawZip } from '@sightline/archive-zip/zip-reading/testing/raw-zip';
import { Client } from 'minio';
import { zipOfToyFaces } from '../../support/fixtures/published-pack.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { toyPacksFolder } from '../../support/fixtures/toy-packs-folder.ts';
import { TOY_PACKS } from '../../support/fixtures/toy-packs.ts';
import { HttpProxy } from '../../support/servers/http-proxy.ts';
import { IdentityProvider } from '../../support/servers/identity-provider.ts';
import { describeWithMinio } from '../../support/servers/minio.ts';
import type { MinioProcess } from '../../support/servers/minio-process.ts';

const MAIN = resolve(import.meta.dirname, '../../../apps/models/src/main.ts');
const FACES = join(toyPacksFolder(), TOY_PACKS.face);
const TOKEN = 'a-token-that-nobody-may-see';

describeWithMinio('a model of a cluster', () => {
  const resources = new AsyncDisposableStack();
  let provider: IdentityProvider;
  let minio: MinioProcess;
  let bucket: string;
  let folder: string;
  let server: PublishedServer;
  let zip: Uint8Array;
  let asked: (string | undefined)[];
  let lines: string[];
  let reports: Map<string, () => unknown>;

  beforeAll(async () => {
    provider = resources.use(await IdentityProvider.start());
    minio = resources.use(await provider.startMinio());
    folder = resources.use(await temporaryFolder()).path;
    server = resources.use(await PublishedServer.start());
    zip = await zipOfToyFaces();
    const options = minio.options();
    ({ bucket } = options);
    using media = new S3MediaStore(options);
    await media.prepare();
    const client = new Client({
      endPoint: minio.endpoint.hostname,
      port: Number(minio.endpoint.port),
      useSSL: false,
      accessKey: minio.accessKey,
      secretKey: minio.secretKey,
    });
    for (const name of await readdir(FACES)) {
      await client.fPutObject(bucket, `sources/faces/${name}`, join(FACES, name));
    }
    await client.putObject(bucket, 'sources/faces.zip', Buffer.from(zip));
    await mkdir(join(folder, 'secret'));
    await mkdir(join(folder, 's3-secret'));
    await writeFile(join(folder, 'secret', 'token'), `${TOKEN}\n`);
    await writeFile(join(folder, 's3-secret', 'accessKey'), minio.accessKey);
    await writeFile(join(folder, 's3-secret', 'secretKey'), minio.secretKey);
    await mkdir(join(folder, 'wrong-s3-secret'));
    await writeFile(join(folder, 'wrong-s3-secret', 'accessKey'), minio.accessKey);
    await writeFile(join(folder, 'wrong-s3-secret', 'secretKey'), `${minio.secretKey}-not`);
    await writeFile(join(folder, 'faces.zip'), zip);
  });
  afterAll(() => resources.disposeAsync());
  beforeEach(() => {
    asked = [];
    lines = [];
    reports = new Map();
    server.answers = [
      (request, response) => {
        asked.push(request.headers.authorization);
        serving(zip)(request, response);
      },
    ];
  });

  function environment(request: object): Record<string, string> {
    return {
      SIGHTLINE_FETCH: JSON.stringify({ task: 'Face', name: 'faces', ...request }),
      SIGHTLINE_TERMINATION_LOG: join(folder, 'termination-log'),
      SIGHTLINE_CACHE: join(folder, 'cache'),
      SIGHTLINE_OPS_PORT: '0',
      SIGHTLINE_S3_ENDPOINT: minio.endpoint.origin,
      SIGHTLINE_S3_BUCKET: bucket,
      SIGHTLINE_S3_ACCESS_KEY: minio.accessKey,
      SIGHTLINE_S3_SECRET_KEY: minio.secretKey,
    };
  }

  /** Runs a fetch, and returns its termination message. */
  async function fetch(request: object, settings: Record<string, string> = {}): Promise<Ended> {
    const variables = { ...environment(request), ...settings };
    await rm(join(folder, 'termination-log'), { force: true });
    const { config } = parseConfig(variables, FETCH_GROUPS);
    const logger = createLogger({
      level: 'info',
      destination: { write: (line) => lines.push(line) },
    });
    const operations: FetchContext['operations'] = {
      serve: (path, report) => void reports.set(path, report),
    };
    const { signal } = new AbortController();
    const failed = await runFetch({
      config,
      environment: variables,
      logger,
      operations,
      signal,
    }).then(
      () => false,
      () => true,
    );
    const end = JSON.parse(await readFile(config.terminationLog!, 'utf8')) as Ended;
    expect('reason' in end).toBe(failed);
    return end;
  }

  const http = (more: object = {}) => ({ http: { url: `${server.url}/faces.zip` }, ...more });
  const s3 = (key: string) => ({
    s3: { endpoint: minio.endpoint.origin, bucket, key },
  });

  test('is fetched by http, checked, and in the store', async () => {
    const sha256 = digestOf(zip);
    const { pack } = await fetch({ source: http({ sha256 }) });
    expect(pack).toMatchObject({
      name: 'faces',
      sha256,
      sizeBytes: zip.length,
      license: 'unknown',
      embeddingDimension: 48,
      components: [{ role: 'FaceDetector', file: 'detector.onnx' }, { role: 'FaceRecognizer' }],
      verifiedAt: expect.stringMatching(/Z$/),
    });
    expect(reports.get('/fetch')!()).toEqual({ bytes: zip.length, totalBytes: zip.length });
    using store = new S3PackStore({ ...minio.options(), bucket });
    expect(await store.readManifest(pack!.revision)).toContain('"faces"');
    const again = await fetch({ source: { store: {} }, revision: pack!.revision });
    const { components, license } = pack!;
    expect(again.pack).toMatchObject({ name: 'faces', components, license });
    expect(again.pack).not.toHaveProperty('sizeBytes');
    expect(await readdir(join(folder, 'cache', 'tmp'))).toEqual([]);
  });

  test.each<[string, () => object]>([
    ['an object of an S3', () => s3('sources/faces.zip')],
    ['the objects of a folder of an S3', () => s3('sources/faces/')],
  ])('is fetched from %s', async (_, source) => {
    const end = await fetch({ source: source(), credentials: join(folder, 's3-secret') });
    expect(end.pack).toMatchObject({ name: 'faces', components: [{}, {}] });
  });

  test("is fetched with the web identity of the model store's server, which no other server gets", async () => {
    const token = join(folder, 'web-identity');
    await writeFile(token, provider.token('readwrite', 3600));
    const keyless = {
      SIGHTLINE_S3_ACCESS_KEY: '',
      SIGHTLINE_S3_SECRET_KEY: '',
      AWS_WEB_IDENTITY_TOKEN_FILE: token,
    };
    const source = s3('sources/faces.zip');
    const { pack } = await fetch({ source }, keyless);
    expect(pack).toMatchObject({ name: 'faces', components: [{}, {}] });
    const endpoint = minio.endpoint.origin.replace('127.0.0.1', 'localhost');
    const elsewhere = await fetch({ source: { s3: { ...source.s3, endpoint } } }, keyless);
    expect(elsewhere).toMatchObject({ reason: 'AccessDenied' });
  });

  test('is fetched through the proxy of the environment, over HTTP and from an S3', async () => {
    await using proxy = await HttpProxy.start();
    const { port } = new URL(server.url);
    const s3Port = minio.endpoint.port;
    const url = `http://models.test:${port}/faces.zip`;
    const source = s3('sources/faces.zip');
    const inS3 = { ...source.s3, endpoint: `http://s3.test:${s3Port}` };
    const proxied = { HTTP_PROXY: proxy.url };
    const overHttp = await fetch({ source: { http: { url } } }, proxied);
    expect(overHttp).toMatchObject({ pack: { name: 'faces' } });
    const credentials = join(folder, 's3-secret');
    const fromS3 = await fetch({ source: { s3: inS3 }, credentials }, proxied);
    expect(fromS3).toMatchObject({ pack: { name: 'faces' } });
    // The server of the model store is never reached through it, also as a source.
    const own = await fetch({ source }, proxied);
    expect(own).toMatchObject({ reason: 'AccessDenied' });
    expect(proxy.asked).toContain(url);
    expect(proxy.asked).toContainEqual(expect.stringContaining(`s3.test:${s3Port}/${bucket}/`));
    expect(proxy.asked).not.toContainEqual(expect.stringContaining('127.0.0.1'));
  });

  test.each([
    ['a file', () => join(folder, 'faces.zip')],
    ['a folder', () => FACES],
  ])('is fetched from %s of a claim', async (_, path) => {
    const end = await fetch({ source: { claim: { name: 'models' } }, folder: path() });
    expect(end.pack).toMatchObject({ name: 'faces', components: [{}, {}] });
  });

  test('is asked for with the credentials of its source, which a mirror does not get', async () => {
    const credentials = join(folder, 'secret');
    await fetch({ source: http(), credentials });
    await fetch({ source: http(), credentials }, { SIGHTLINE_MODEL_MIRROR: server.url });
    expect(asked).toEqual([`Bearer ${TOKEN}`, undefined]);
    expect(lines.join('')).not.toContain(TOKEN);
  });

  test('keeps the credentials of its source from where that redirects to', async () => {
    await using other = await PublishedServer.start();
    const elsewhere: (string | undefined)[] = [];
    other.answers = [
      (request, response) => {
        elsewhere.push(request.headers.authorization);
        serving(zip)(request, response);
      },
    ];
    server.answers = [
      (request, response) => {
        asked.push(request.headers.authorization);
        response.writeHead(302, { location: `${other.url}/faces.zip` }).end();
      },
    ];
    await fetch({ source: http(), credentials: join(folder, 'secret') });
    expect([asked, elsewhere]).toEqual([[`Bearer ${TOKEN}`], [undefined]]);
  });

  describe('that cannot be had', () => {
    const wrong = 'f'.repeat(64);

    test.each<[string, () => object, readonly [string, RegExp]]>([
      [
        'with another digest',
        () => ({ source: http({ sha256: wrong }) }),
        ['DigestMismatch', /instead of f{64}/],
      ],
      [
        'of another revision',
        () => ({ source: http(), revision: wrong }),
        ['RevisionMismatch', /instead of f{64}/],
      ],
      [
        'of another task',
        () => ({ source: http(), task: 'Object' }),
        ['TaskMismatch', /task face instead of object/],
      ],
      [
        'larger than declared',
        () => ({ source: http({ sizeBytes: 100 }) }),
        ['TooLarge', /more than 100 bytes/],
      ],
      [
        'without credentials in their folder',
        () => ({ source: http(), credentials: folder }),
        ['AccessDenied', /must have the keys token/],
      ],
      [
        'at a metadata service',
        () => ({ source: { http: { url: 'http://169.254.169.254/latest' } } }),
        ['AccessDenied', /not allowed/],
      ],
      [
        'in an S3 at a metadata service',
        () => ({ source: { s3: { endpoint: 'http://169.254.169.254', bucket: 'b', key: 'k' } } }),
        ['AccessDenied', /not allowed/],
      ],
      [
        'that its S3 does not have',
        () => ({ source: s3('nothing.zip'), credentials: join(folder, 's3-secret') }),
        ['NotFound', /no such object/],
      ],
      [
        'that its S3 does not let it have',
        () => ({ source: s3('sources/faces.zip'), credentials: join(folder, 'wrong-s3-secret') }),
        ['AccessDenied', /refuses these credentials/],
      ],
      [
        'of a folder that its S3 does not let it have',
        () => ({ source: s3('sources/faces/'), credentials: join(folder, 'wrong-s3-secret') }),
        ['AccessDenied', /refuses these credentials/],
      ],
      [
        'in a bucket that is not there',
        () => ({
          source: { s3: { ...s3('sources/faces.zip').s3, bucket: 'nowhere' } },
          credentials: join(folder, 's3-secret'),
        }),
        ['NotFound', /bucket nowhere does not exist/],
      ],
      [
        'of a folder of an S3 without packs',
        () => ({ source: s3('sources/'), credentials: join(folder, 's3-secret') }),
        ['NotFound', /no files of a pack/],
      ],
      [
        'that the claim does not have',
        () => ({ source: { claim: {} }, folder: '/nowhere' }),
        ['NotFound', /no file or folder at/],
      ],
      [
        'that the store does not have',
        () => ({ source: { store: {} }, revision: wrong }),
        ['NotFound', /does not have/],
      ],
      [
        'of the store without a revision',
        () => ({ source: { store: {} } }),
        ['NotFound', /spec\.revision/],
      ],
      [
        'as a starter of words',
        () => ({ source: { starter: {} }, task: 'OpenVocabulary' }),
        ['NotFound', /no starter pack/],
      ],
    ])('%s says so', async (_, request, [reason, message]) => {
      expect(await fetch(request())).toEqual({ reason, message: expect.stringMatching(message) });
    });

    test.each([
      [401, 'AccessDenied'],
      [403, 'AccessDenied'],
      [404, 'NotFound'],
    ])('as its server answers %i says so', async (code, reason) => {
      server.answers = [status(code)];
      const end = await fetch({ source: http() });
      expect(end).toMatchObject({ reason, message: expect.stringContaining(String(code)) });
    });

    test('as it is no pack, or the archive is hostile, says so', async () => {
      const archives: readonly (readonly [Uint8Array, string])[] = [
        [Buffer.from('no archive'), 'ArchiveInvalid'],
        [rawZip([{ name: '../detector.onnx', data: Buffer.from('x') }]), 'ArchiveInvalid'],
        [rawZip([{ name: 'readme.txt', data: Buffer.from('x') }]), 'PackRefused'],
        [rawZip([{ name: 'detector.onnx', data: Buffer.from('x') }]), 'PackRefused'],
      ];
      for (const [bytes, reason] of archives) {
        server.answers = [serving(bytes)];
        expect(await fetch({ source: http() })).toMatchObject({ reason });
      }
      // The received bytes stay for a retry; the unpacked files do not.
      const left = await readdir(join(folder, 'cache', 'tmp'));
      expect(left.filter((name) => !name.startsWith('partial-'))).toEqual([]);
    });

    test('reports that the model store is unavailable', async () => {
      const end = await fetch({ source: http() }, { SIGHTLINE_S3_ENDPOINT: 'http://127.0.0.1:1' });
      expect(end).toMatchObject({ reason: 'StoreUnavailable' });
    });
  });

  describe('its program', () => {
    const run = (words: readonly string[], request: object = {}) =>
      promisify(execFile)(process.execPath, ['--no-warnings', MAIN, ...words], {
        env: { PATH: process.env.PATH, HOME: folder, ...environment(request) },
      }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        (error: unknown) => error as { code: number; stdout: string; stderr: string },
      );

    test('ends with 1 and the message if the fetch fails', async () => {
      server.answers = [status(404)];
      const source = { http: { url: `${server.url}/missing.zip` } };
      expect(await run(['fetch'], { source })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^NotFound: 127\.0\.0\.1:\d+ responded with status 404\.\n$/),
      });
    });

    test('copies local packs into the model store', async () => {
      const { code, stdout } = await run(['push', FACES]);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^toy-faces [0-9a-f]{64}\n$/)]);
      const [, revision] = stdout.trim().split(' ');
      expect((await fetch({ source: { store: {} }, revision })).pack).toMatchObject({ revision });
      expect(await run(['push', folder])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/are not a usable pack/),
      });
    });

    test.each([
      [['fetch', 'more'], /There is no command fetch more/],
      [['push'], /Name the folders/],
      [['remove'], /There is no command remove/],
      [['fetch'], /SIGHTLINE_FETCH is not valid: source/],
    ])('refuses %j', async (words, sentence) => {
      const { code, stderr } = await run(words, { source: 7 });
      expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    });
  });
});

interface Ended {
  readonly pack?: Readonly<Record<string, unknown>> & { readonly revision: string };
  readonly reason?: string;
  readonly message?: string;
}
