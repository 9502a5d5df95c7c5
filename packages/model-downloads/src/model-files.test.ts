import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { mountSmall } from '@sightline/test/support/fixtures/small-file-system';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { CacheFolder } from './cache-folder.ts';
import type { ModelFile } from './model-file.ts';
import { ModelFiles, type ModelFilesOptions } from './model-files.ts';
import {
  at,
  CONTENT,
  DownloadRecorder,
  type FileServer,
  fileFrom,
  serveFiles,
} from './testing/publication.ts';

const HALF = CONTENT.length / 2;

/** Sends the complete content. */
const good: RequestListener = (_request, response) => response.end(CONTENT);

/** Sends half of the content, and then stalls. */
const half: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': CONTENT.length });
  response.write(CONTENT.subarray(0, HALF));
};

const redirectTo =
  (location: string): RequestListener =>
  (_request, response) =>
    response.writeHead(302, { location }).end();

interface Fixture extends AsyncDisposable {
  readonly cache: string;
  readonly server: FileServer;
  readonly recorder: DownloadRecorder;
  get(file: ModelFile, signal?: AbortSignal): Promise<string>;
  /** Lists a folder of the cache. */
  list(folder: string): Promise<string[]>;
}

async function setUp(
  answers: Record<string, RequestListener>,
  options: Partial<ModelFilesOptions> = {},
): Promise<Fixture> {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder());
  const server = resources.use(await serveFiles(answers));
  const recorder = new DownloadRecorder();
  const cache = join(folder.path, 'cache');
  const files = resources.use(
    new ModelFiles({
      cache: new CacheFolder(cache),
      observer: recorder,
      packageBase: import.meta.url,
      environment: {},
      openUrl: server.openUrl,
      ...options,
    }),
  );
  return {
    cache,
    server,
    recorder,
    get: (file, signal = new AbortController().signal) => files.get(file, signal),
    list: (name) => readdir(join(cache, name)).catch(() => []),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

describe('a file', () => {
  test('is downloaded from the first source that provides it, and later read from the cache', async () => {
    await using fixture = await setUp({ second: good, third: good });
    const file = fileFrom(at('first'), at('second'), at('third'));
    const path = await fixture.get(file);
    expect(path).toBe(join(fixture.cache, 'downloads', file.sha256));
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(await fixture.get(file)).toBe(path);
    expect(fixture.server.requested).toEqual(['first', 'second']);
    expect(fixture.recorder.lines).toEqual([
      'started models.test',
      'failed models.test: responded with status 404',
      'started models.test',
      'finished models.test',
    ]);
    expect(fixture.recorder.received.at(-1)).toBe(CONTENT.length);
    expect(await fixture.list('tmp')).toEqual([]);
  });

  test('is found in a read-only cache', async () => {
    await using fixture = await setUp({ first: good });
    await fixture.get(fileFrom(at('first')));
    // Now no temporary file can be created.
    await rm(join(fixture.cache, 'tmp'), { recursive: true });
    await writeFile(join(fixture.cache, 'tmp'), '');
    await using other = await setUp({}, { cache: new CacheFolder(fixture.cache) });
    await other.get(fileFrom(at('nowhere')));
    expect(other.server.requested).toEqual([]);
  });

  test.each<[string, (path: string) => Promise<void>]>([
    ['truncated', (path) => truncate(path, HALF)],
    ['other bytes', (path) => writeFile(path, Buffer.alloc(CONTENT.length))],
    ['empty', (path) => truncate(path)],
  ])('that is %s in the cache is downloaded again', async (_, damage) => {
    await using fixture = await setUp({ first: good });
    const file = fileFrom(at('first'));
    const path = await fixture.get(file);
    await damage(path);
    await fixture.get(file);
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(fixture.server.requested).toHaveLength(2);
  });

  test('replaces a folder at its path', async () => {
    await using fixture = await setUp({ first: good });
    const file = fileFrom(at('first'));
    await mkdir(join(fixture.cache, 'downloads', file.sha256, 'something'), { recursive: true });
    expect((await readFile(await fixture.get(file))).equals(CONTENT)).toBe(true);
  });
});

describe('an https source', () => {
  test.each<[string, RequestListener, string]>([
    [
      'other bytes',
      (_, to) => to.end(Buffer.alloc(CONTENT.length)),
      'provided a file with another digest (sha256 ',
    ],
    [
      'fewer bytes',
      (_, to) => to.write(CONTENT.subarray(0, HALF), () => to.end()),
      `provided ${HALF} `,
    ],
    [
      'more bytes',
      (_, to) => to.write(CONTENT, () => to.end('more')),
      `provided more than ${CONTENT.length} bytes`,
    ],
    [
      'another size',
      (_, to) => to.writeHead(200, { 'content-length': 7 }).end('7 bytes'),
      `announced 7 bytes instead of ${CONTENT.length}`,
    ],
    [
      'half of them and then disconnects',
      (_, to) => {
        to.writeHead(200, { 'content-length': CONTENT.length });
        to.write(CONTENT.subarray(0, HALF), () => to.destroy());
      },
      'cannot be reached (ECONNRESET)',
    ],
    ['an error', (_, to) => to.writeHead(503).end(), 'responded with status 503'],
    [
      'a redirect to http',
      redirectTo('http://models.test/good'),
      'redirected to an address that is not https',
    ],
    ['a redirect to nothing', redirectTo('https://'), 'redirected to an address that is not https'],
    ['endless redirects', redirectTo('/bad'), 'redirected more than 5 times'],
  ])('that provides %s is skipped', async (_, bad, reason) => {
    await using fixture = await setUp({ bad, good });
    await fixture.get(fileFrom(at('bad'), at('good')));
    expect(fixture.recorder.lines[1]).toContain(`failed models.test: ${reason}`);
    expect(fixture.recorder.lines.at(-1)).toBe('finished models.test');
    expect(await fixture.list('tmp')).toEqual([]);
  });

  test('may redirect to another address', async () => {
    await using fixture = await setUp({ old: redirectTo('https://elsewhere.test/good'), good });
    await fixture.get(fileFrom(at('old')));
    expect(fixture.server.requested).toEqual(['old', 'good']);
  });

  test.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['stops in the middle', half],
  ])('that %s times out', async (_, silent) => {
    const limits = { silenceMs: 300, totalMs: 3_600_000 };
    await using fixture = await setUp({ silent }, { limits });
    // The test has no second source, which might exceed the short limit on a busy machine.
    await expect(fixture.get(fileFrom(at('silent')))).rejects.toThrow('sent no data for 0.3 s');
    expect(await fixture.list('tmp')).toEqual([]);
  });

  test('that does not begin to answer times out before a slow answer does', async () => {
    const limits = { answerMs: 300, silenceMs: 3_600_000, totalMs: 3_600_000 };
    const slow: RequestListener = (_request, response) => {
      response.write(CONTENT.subarray(0, HALF));
      setTimeout(() => response.end(CONTENT.subarray(HALF)), 3 * limits.answerMs);
    };
    await using fixture = await setUp({ silent: () => undefined, slow }, { limits });
    await expect(fixture.get(fileFrom(at('silent')))).rejects.toThrow('did not answer in 0.3 s');
    expect((await readFile(await fixture.get(fileFrom(at('slow'))))).equals(CONTENT)).toBe(true);
  });

  test('that sends a byte now and then exceeds the total limit', async () => {
    const drip: RequestListener = (request, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      request.once('close', () => clearInterval(timer));
    };
    const limits = { silenceMs: 3_600_000, totalMs: 300 };
    await using fixture = await setUp({ drip }, { limits });
    await expect(fixture.get(fileFrom(at('drip')))).rejects.toThrow('took longer than 0.3 s');
  });

  test('that is unreachable is reported by host and reason, without the address', async () => {
    await using fixture = await setUp({});
    await using closed = await serveFiles({});
    await closed[Symbol.asyncDispose]();
    await using other = await setUp({}, { openUrl: closed.openUrl });
    const file = fileFrom({ url: 'https://user:secret@models.test/a' }, at('b'));
    await expect(other.get(file)).rejects.toMatchObject({
      name: 'FileUnavailable',
      message:
        'model.onnx: models.test cannot be reached (ECONNREFUSED); models.test cannot be reached (ECONNREFUSED)',
    });
    expect(fixture.server.requested).toEqual([]);
  });

  test('is aborted at once when the start is aborted', async () => {
    const stop = new AbortController();
    await using fixture = await setUp({ half, good });
    const getting = fixture.get(fileFrom(at('half'), at('good')), stop.signal);
    while (fixture.recorder.received.length === 0) await new Promise((next) => setTimeout(next, 5));
    const reason = new Error('SIGTERM was received.');
    stop.abort(reason);
    await expect(getting).rejects.toBe(reason);
    expect(fixture.server.requested).toEqual(['half']);
    expect(await fixture.list('tmp')).toEqual([]);
    expect(await fixture.list('downloads')).toEqual([]);
  });

  // No proxy listens on this port. A direct request would fail with another error, because the host does not exist.
  const unused = 'http://user:secret@127.0.0.1:9';
  test.each([
    [unused, '', 'ECONNREFUSED'],
    [unused, 'test', 'ENOTFOUND|EAI_AGAIN'],
    ['socks5://proxy', '', 'HTTPS_PROXY has to be the http:// or https:// URL of a proxy'],
  ])('is reached through the proxy %s of the environment, but not in "%s"', async (...values) => {
    const [HTTPS_PROXY, NO_PROXY, reason] = values;
    const environment = { HTTPS_PROXY, NO_PROXY };
    await using folder = await temporaryFolder();
    await using files = new ModelFiles({
      cache: new CacheFolder(folder.path),
      observer: new DownloadRecorder(),
      packageBase: import.meta.url,
      environment,
    });
    await expect(files.get(fileFrom(at('model')), new AbortController().signal)).rejects.toThrow(
      new RegExp(`model.onnx: models.test cannot be reached \\((${reason})\\)`),
    );
  });
});

describe('an npm package', () => {
  const source = (path: string, npmPackage = 'yauzl') => ({ npmPackage, path });

  test('is read even if its exports do not list the file', async () => {
    const manifest = resolve('node_modules/yauzl/package.json');
    const content = await readFile(manifest);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await using fixture = await setUp({});
    const path = await fixture.get({
      name: 'package.json',
      sha256,
      bytes: content.length,
      sources: [source('package.json')],
    });
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(fixture.recorder.lines).toEqual(['started npm (yauzl)', 'finished npm (yauzl)']);
  });

  test.each([
    ['that is not installed', source('a', '@sightline/nothing'), 'is not installed'],
    ['without the file', source('no/such.bin'), 'has no readable no/such.bin (ENOENT)'],
    ['with another file', source('package.json'), `provided `],
  ])('%s is skipped', async (_, from, reason) => {
    await using fixture = await setUp({ good });
    await fixture.get(fileFrom(from, at('good')));
    expect(fixture.recorder.lines[1]).toContain(reason);
  });
});

describe('a cache', () => {
  test('that cannot be written ends the download with an error that names the folder', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'file'), '');
    const cache = join(folder.path, 'file', 'cache');
    await using fixture = await setUp({ good }, { cache: new CacheFolder(cache) });
    await expect(fixture.get(fileFrom(at('good'), at('good')))).rejects.toMatchObject({
      name: 'CacheUnusable',
      message: `the cache ${cache} cannot be used (ENOTDIR)`,
    });
    expect(fixture.server.requested).toEqual([]);
  });

  test('deletes leftovers after an hour, and partial files after a day', async () => {
    await using fixture = await setUp({ good });
    const temporary = join(fixture.cache, 'tmp');
    await mkdir(join(temporary, 'old-folder'), { recursive: true });
    await writeFile(join(temporary, 'old'), 'half');
    await writeFile(join(temporary, 'young'), 'half');
    await writeFile(join(temporary, 'partial-old'), 'half');
    await writeFile(join(temporary, 'partial-young'), 'half');
    const dayBefore = new Date(Date.now() - 25 * 60 * 60 * 1000);
    await utimes(join(temporary, 'partial-old'), dayBefore, dayBefore);
    const before = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(temporary, 'old'), before, before);
    await utimes(join(temporary, 'partial-young'), before, before);
    await utimes(join(temporary, 'old-folder'), before, before);
    await fixture.get(fileFrom(at('good')));
    expect((await fixture.list('tmp')).sort()).toEqual(['partial-young', 'young']);
  });

  test('may be used by several processes at the same time', async () => {
    await using fixture = await setUp({ good });
    const file = fileFrom(at('good'));
    const others = await Promise.all(
      Array.from({ length: 4 }, () => setUp({ good }, { cache: new CacheFolder(fixture.cache) })),
    );
    const paths = await Promise.all(others.map((other) => other.get(file)));
    for (const path of paths) expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(await fixture.list('tmp')).toEqual([]);
    await Promise.all(others.map((other) => other[Symbol.asyncDispose]()));
  });

  test('is intact after a process was killed during a download', async () => {
    let begun = (): void => undefined;
    const isInFlight = new Promise<void>((done) => (begun = done));
    await using fixture = await setUp({
      half: (request, response) => {
        half(request, response);
        begun();
      },
      good,
    });
    const script = join(import.meta.dirname, 'fixtures/get-file.ts');
    const child = spawn(process.execPath, [
      script,
      fixture.cache,
      `${fixture.server.port}`,
      'half',
    ]);
    await isInFlight;
    while ((await fixture.list('tmp')).length === 0)
      await new Promise((next) => setTimeout(next, 5));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await fixture.list('downloads')).toEqual([]);
    const path = await fixture.get(fileFrom(at('good')));
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
  });
});

const small = mountSmall(1);
const describeOnFullDisk = small === null ? describe.skip : describe;
const skipped = small === null ? ' [skipped: this account cannot mount a small file system]' : '';

describeOnFullDisk(`a full disk${skipped}`, () => {
  test('is reported, leaves no file, and does not blame the source', async () => {
    using disk = small!;
    await writeFile(join(disk.path, 'filler'), Buffer.alloc(900_000));
    await using fixture = await setUp({ good }, { cache: new CacheFolder(disk.path) });
    await expect(fixture.get(fileFrom(at('good'), at('good')))).rejects.toMatchObject({
      name: 'CacheUnusable',
      message: `the cache ${disk.path} cannot be used (ENOSPC)`,
    });
    expect(await readdir(join(disk.path, 'tmp'))).toEqual([]);
    expect(fixture.server.requested).toEqual(['good']);
  });
});
