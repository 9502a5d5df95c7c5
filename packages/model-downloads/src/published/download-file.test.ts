import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { PublishedFile } from '@sightline/core/models/model-source';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import { CacheFolder } from '../cache-folder.ts';
import { CONTENT } from '../testing/publication.ts';
import {
  type Answer,
  digestOf,
  PublishedServer,
  serving,
  status,
} from '../testing/published-server.ts';
import { type DownloadDeps, downloadFile } from './download-file.ts';
import { sourceOf } from './source-of.ts';

const SHA256 = digestOf(CONTENT);
const LIMITS = {
  silenceMs: 20_000,
  averageAfterMs: 20_000,
  leastAverage: 1,
  maxBytes: 1024 ** 2,
  tries: 5,
  pauseMs: 1000,
};
const HALF = CONTENT.length / 2;

let folder: string;
let server: PublishedServer;
let http: GuardedFetch;
let own: Endpoint[];
let pauses: number[];
let progress: number[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-downloads-'));
  server = await PublishedServer.start();
  own = [];
  http = new GuardedFetch({
    ownEndpoints: () => own,
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  });
  pauses = [];
  progress = [];
});

afterEach(async () => {
  await http[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Setting extends Partial<Omit<DownloadDeps, 'cache' | 'source' | 'limits'>> {
  readonly limits?: Partial<DownloadDeps['limits']>;
  readonly mirror?: string;
}

/** Downloads as a new process would, which has only the files of the cache from earlier downloads. */
async function download(file: Partial<PublishedFile> = {}, setting: Setting = {}) {
  const published = { address: `${server.url}/model.onnx`, sha256: null, bytes: null, ...file };
  const { limits, mirror = null, ...rest } = setting;
  const found = await downloadFile(published, {
    cache: new CacheFolder(folder),
    source: sourceOf(published.address, {
      http,
      reach: 'private',
      mirror,
      filesFolder: join(folder, 'allowed'),
      openObject: null,
    }),
    limits: { ...LIMITS, ...limits },
    requireRoom: () => Promise.resolve(),
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
    onProgress: ({ received }) => progress.push(received),
    signal: new AbortController().signal,
    ...rest,
  });
  expect(digestOf(await readFile(found.path))).toBe(found.sha256);
  return found;
}

function failure(file?: Partial<PublishedFile>, setting?: Setting): Promise<Error> {
  return download(file, setting).then(
    () => Promise.reject(new Error('It succeeded.')),
    (error: unknown) => error as Error,
  );
}

test('a downloaded file has its digest and size, and can be removed', async () => {
  server.answers = [serving(CONTENT)];
  const found = await download();
  expect(found).toMatchObject({ sha256: SHA256, bytes: CONTENT.length });
  expect(progress.at(-1)).toBe(CONTENT.length);
  expect(await download({ sha256: SHA256, bytes: CONTENT.length })).toMatchObject({
    sha256: SHA256,
  });
  await found.remove();
  expect(await readdir(join(folder, 'tmp'))).toHaveLength(2);
});

describe('a server that closes the connection early', () => {
  test('gets a request for the rest', async () => {
    server.answers = [serving(CONTENT, { cutAfter: HALF }), serving(CONTENT)];
    expect(await download()).toMatchObject({ sha256: SHA256 });
    const [, second] = server.requests;
    expect(second!.range).toMatch(/^bytes=[1-9]\d*-$/);
    expect(second!.ifRange).toBe('"1"');
    expect(pauses).toHaveLength(1);
  });

  test('and ignores ranges sends the file from the beginning', async () => {
    const whole: Answer = (_request, response) => response.end(CONTENT);
    server.answers = [serving(CONTENT, { cutAfter: HALF }), whole];
    expect(await download()).toMatchObject({ sha256: SHA256, bytes: CONTENT.length });
  });

  test('and has another file then sends it from the beginning', async () => {
    const other = CONTENT.toReversed();
    server.answers = [serving(CONTENT, { cutAfter: HALF }), serving(other, { etag: '"2"' })];
    expect(await download()).toMatchObject({ sha256: digestOf(other) });
  });

  test('and ignores If-Range is detected by its ETag', async () => {
    const other = CONTENT.toReversed();
    const careless: Answer = (request, response) => {
      request.headers['if-range'] = '"2"';
      serving(other, { etag: '"2"' })(request, response);
    };
    server.answers = [serving(CONTENT, { cutAfter: HALF }), careless];
    expect(await download()).toMatchObject({ sha256: digestOf(other) });
    expect(server.requests.map(({ range }) => range === null)).toEqual([true, false, true]);
  });

  test('and sends no validator gets no request for the rest, unless the digest is known', async () => {
    const cut = serving(CONTENT, { cutAfter: HALF, etag: null });
    const good = serving(CONTENT, { etag: null });
    server.answers = [cut, good];
    await download();
    expect(server.requests.map(({ range }) => range === null)).toEqual([true, true]);
    server.answers = [cut, good];
    await download({ sha256: SHA256 });
    expect(server.requests.map(({ range }) => range === null)).toEqual([true, true, true, false]);
  });

  test('each time fails after five tries without progress', async () => {
    server.answers = [serving(CONTENT, { cutAfter: 10 })];
    expect((await failure()).message).toMatch(/^closed the connection/);
    expect(server.requests).toHaveLength(5);
    expect(pauses.map((ms) => 2 ** Math.round(Math.log2(ms / 1000)))).toEqual([1, 2, 4, 8]);
  });
});

test('a process resumes where a killed process ended', async () => {
  server.answers = [serving(CONTENT, { cutAfter: HALF })];
  await failure({}, { limits: { tries: 1 } });
  server.answers = [serving(CONTENT)];
  expect(await download()).toMatchObject({ sha256: SHA256 });
  expect(server.requests.at(-1)!.range).toMatch(/^bytes=[1-9]\d*-$/);
  expect(progress.filter((received) => received < HALF / 4).length).toBeLessThan(10);
});

test('a process that was killed after the last byte need not download the file again', async () => {
  server.answers = [serving(CONTENT)];
  await download();
  await download();
  expect(server.requests).toHaveLength(1);
  const chunked: Answer = (request, response) => {
    if (request.headers.range === undefined) {
      response.writeHead(200, { etag: '"2"' });
      response.write(CONTENT, () => response.end());
    } else {
      serving(CONTENT, { etag: '"2"' })(request, response);
    }
  };
  server.answers = [chunked];
  const address = `${server.url}/chunked.onnx`;
  await download({ address });
  expect(await download({ address })).toMatchObject({ sha256: SHA256, bytes: CONTENT.length });
  expect(server.requests.at(-1)!.range).toBe(`bytes=${CONTENT.length}-`);
});

test('a note that a crash has truncated is ignored', async () => {
  server.answers = [serving(CONTENT, { cutAfter: HALF })];
  await failure({}, { limits: { tries: 1 } });
  const names = await readdir(join(folder, 'tmp'));
  await writeFile(
    join(
      folder,
      'tmp',
      names.find((name) => name.endsWith('.json'))!,
    ),
    '{"val',
  );
  server.answers = [serving(CONTENT)];
  expect(await download()).toMatchObject({ sha256: SHA256 });
  expect(server.requests.at(-1)!.range).toBeNull();
});

test('a server that fails temporarily gets another request after its Retry-After', async () => {
  server.answers = [
    status(500),
    status(503, { 'Retry-After': '7' }),
    status(429, { 'Retry-After': '86400' }),
    status(503, { 'Retry-After': new Date(Date.now() + 30_000).toUTCString() }),
    serving(CONTENT),
  ];
  expect(await download()).toMatchObject({ sha256: SHA256 });
  expect(pauses.slice(1, 3)).toEqual([7000, 60_000]);
  expect(pauses[3]! / 1000).toBeCloseTo(29, -1);
});

test.each([401, 403, 404, 410])('status %i is final', async (code) => {
  server.answers = [status(code)];
  expect((await failure()).message).toBe(`responded with status ${code}`);
  expect(server.requests).toHaveLength(1);
});

test('a download from a silent server fails', async () => {
  const silent: Answer = (_request, response) => void response.writeHead(200).write('a');
  server.answers = [silent];
  const error = await failure({}, { limits: { silenceMs: 50, tries: 2 } });
  expect(error.message).toBe('sent no data for 0.05 s');
  server.answers = [() => undefined];
  const other = { address: `${server.url}/other.onnx` };
  const mute = await failure(other, { limits: { silenceMs: 50, tries: 2 } });
  expect(mute.message).toBe('sent no data for 0.05 s');
});

test('a download from a server that sends a byte now and then fails', async () => {
  const slow: Answer = (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('a'), 10);
    response.on('close', () => clearInterval(timer));
  };
  server.answers = [slow];
  const limits = { averageAfterMs: 50, leastAverage: 1e6, tries: 2 };
  expect((await failure({}, { limits })).message).toBe('sent less than 1000000 bytes a second');
  expect(server.requests).toHaveLength(2);
});

describe('a server that lies', () => {
  const flipped = Uint8Array.from(CONTENT);
  flipped[1000]! ^= 1;

  test('about the bytes is detected by the digest, and the message has both digests', async () => {
    server.answers = [serving(flipped)];
    const { message } = await failure({ sha256: SHA256 });
    expect(message).toBe(
      `provided a file with the digest ${digestOf(flipped)} instead of ${SHA256}`,
    );
    expect(server.requests).toHaveLength(1);
  });

  test('about the first part costs another try', async () => {
    server.answers = [serving(flipped, { cutAfter: HALF }), serving(CONTENT)];
    expect(await download({ sha256: SHA256 })).toMatchObject({ sha256: SHA256 });
    expect(server.requests.map(({ range }) => range === null)).toEqual([true, false, true]);
  });

  test.each([
    ['another size', CONTENT.length + 1, /^announced \d+ bytes instead of \d+$/],
    ['another digest', CONTENT.length, /digest/],
  ])('about %s leave nothing behind', async (_, bytes, reason) => {
    server.answers = [serving(CONTENT)];
    const { message } = await failure({ bytes, sha256: 'a'.repeat(64) });
    expect(message).toMatch(reason);
    const names = await readdir(join(folder, 'tmp'));
    for (const name of names.filter((each) => !each.endsWith('.json'))) {
      expect(await readFile(join(folder, 'tmp', name))).toHaveLength(0);
    }
  });

  test('about a length that is too long seems to close the connection', async () => {
    const long: Answer = (_request, response) => {
      response.writeHead(200, { 'Content-Length': CONTENT.length + 5 });
      response.write(CONTENT, () => response.destroy());
    };
    server.answers = [long];
    expect((await failure()).message).toMatch(/^closed the connection/);
  });

  test('about a length that is too short is detected by the digest', async () => {
    const short: Answer = ({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${HALF}\r\nConnection: close\r\n\r\n`);
      socket.end(CONTENT);
    };
    server.answers = [short];
    const { message } = await failure({ sha256: SHA256 });
    expect(message).toMatch(/^(provided a file with the digest|closed the connection)/);
  });

  test('about ranges sends the file from the beginning', async () => {
    const wrong: Answer = (_request, response) => {
      response.writeHead(206, { 'Content-Range': `bytes 5-9/${CONTENT.length}` }).end('12345');
    };
    server.answers = [serving(CONTENT, { cutAfter: HALF }), wrong, serving(CONTENT)];
    expect(await download()).toMatchObject({ sha256: SHA256 });
  });
});

test('a body without end fails at the largest size of a model', async () => {
  const endless: Answer = (_request, response) => {
    const more = () => response.write(CONTENT, () => response.destroyed || setImmediate(more));
    more();
  };
  server.answers = [endless];
  expect((await failure()).message).toBe('has more than 1048576 bytes');
  server.answers = [endless];
  expect((await failure({ bytes: 5 })).message).toBe('provided more than 5 bytes');
  server.answers = [status(200, { 'Content-Length': '99999999' })];
  expect((await failure()).message).toBe('has more than 1048576 bytes');
});

test('a compressed response is refused', async () => {
  server.answers = [
    (_request, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(CONTENT)),
  ];
  expect((await failure()).message).toBe(
    'sent a compressed response, which a download cannot resume',
  );
});

describe('addresses', () => {
  const to = (location: string) => status(302, { location });

  test('three redirects are followed', async () => {
    server.answers = [to('/b'), to('/c'), to('/d'), serving(CONTENT)];
    expect(await download()).toMatchObject({ sha256: SHA256 });
    server.answers = [to('/again')];
    expect((await failure({ address: `${server.url}/e` })).message).toBe('redirected too often');
  });

  test.each([
    ['http://169.254.169.254/latest', 'has an address that is not allowed'],
    ['ftp://127.0.0.1/a', 'has an address that is not allowed'],
    ['http://u:p@127.0.0.1/', 'redirected to a URL with a user name or a password'],
  ])('a redirect to %s is refused', async (location, message) => {
    server.answers = [to(location)];
    expect((await failure()).message).toBe(message);
    expect(server.requests).toHaveLength(1);
  });

  test("the platform's own stores are refused as sources", async () => {
    own = [{ host: '127.0.0.1', port: server.port }];
    expect((await failure()).message).toBe('has an address that is not allowed');
    expect(server.requests).toHaveLength(0);
  });

  test('a mirror gets requests for the same paths', async () => {
    server.answers = [serving(CONTENT)];
    const address = 'https://models.test/releases/a%20b.onnx?raw=1';
    await download({ address }, { mirror: `${server.url}/x/` });
    expect(server.requests[0]!.path).toBe('/x/releases/a%20b.onnx?raw=1');
  });

  test('no message contains secrets', async () => {
    server.answers = [status(403)];
    const address = `${server.url}/secret-path?token=secret`;
    const error = await failure({ address });
    const refused = await failure({ address: `http://user:secret@127.0.0.1:${server.port}/` });
    expect(`${error.message} ${refused.message}`).not.toContain('secret');
  });

  test.each(['ftp://a/b', 'data:,a', 'nothing', ''])('%j is refused', async (address) => {
    expect((await failure({ address })).message).toMatch(/begin with https, http, s3 or file/);
  });

  test('an s3 address needs an S3 server and a key', async () => {
    expect((await failure({ address: 's3://bucket/key' })).message).toMatch(/is not set/);
    expect((await failure({ address: 's3://bucket/%zz' })).message).toMatch(
      /not a valid object key/,
    );
  });
});

describe('files', () => {
  const allowed = () => join(folder, 'allowed');
  beforeEach(async () => {
    await writeFile(join(folder, 'outside.onnx'), 'secret');
    await mkdir(allowed());
    await writeFile(join(allowed(), 'a.onnx'), CONTENT);
    await symlink(join(folder, 'outside.onnx'), join(allowed(), 'link.onnx'));
  });

  test('of the folder are read by path and by address', async () => {
    const path = join(allowed(), 'a.onnx');
    for (const address of [path, pathToFileURL(path).href]) {
      expect(await download({ address })).toMatchObject({ sha256: SHA256 });
    }
  });

  test.each(['../outside.onnx', 'link.onnx', '.', '..'])('%s is refused', async (name) => {
    const { message } = await failure({ address: `${allowed()}/${name}` });
    expect(message).toMatch(/not in the folder|not a regular file/);
  });

  test('that do not exist are reported as missing', async () => {
    const { message } = await failure({ address: join(allowed(), 'b.onnx') });
    expect(message).toBe('cannot be read (ENOENT)');
  });
});

test('a lack of disk space ends the download before its first byte', async () => {
  server.answers = [serving(CONTENT)];
  const full = new Error('The disk is full.');
  const asked: number[] = [];
  const requireRoom = (bytes: number) => {
    asked.push(bytes);
    return Promise.reject(full);
  };
  expect(await failure({}, { requireRoom })).toBe(full);
  expect(asked).toEqual([CONTENT.length]);
});

test('an abort ends a download with its reason, and the received bytes remain', async () => {
  const reason = new Error('The job was canceled.');
  const controller = new AbortController();
  server.answers = [
    (_request, response) => void response.writeHead(200, { etag: '"1"' }).write(CONTENT),
  ];
  const onProgress = () => controller.abort(reason);
  expect(await failure({}, { signal: controller.signal, onProgress })).toBe(reason);
  server.answers = [serving(CONTENT)];
  await download();
  expect(server.requests.at(-1)!.range).toMatch(/^bytes=[1-9]\d*-$/);
});
