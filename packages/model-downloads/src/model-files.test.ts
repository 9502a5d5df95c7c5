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
  DownloadDiary,
  type FileServer,
  fileFrom,
  serveFiles,
} from './testing/publication.ts';

const HALF = CONTENT.length / 2;

/** The content, whole. */
const good: RequestListener = (_request, response) => response.end(CONTENT);

/** Half of the content, and then nothing more until the connection ends. */
const half: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': CONTENT.length });
  response.write(CONTENT.subarray(0, HALF));
};

const redirectTo =
  (location: string): RequestListener =>
  (_request, response) =>
    response.writeHead(302, { location }).end();

interface Scene extends AsyncDisposable {
  readonly cache: string;
  readonly server: FileServer;
  readonly diary: DownloadDiary;
  get(file: ModelFile, signal?: AbortSignal): Promise<string>;
  /** What lies in a folder of the cache. */
  list(folder: string): Promise<string[]>;
}

async function setScene(
  answers: Record<string, RequestListener>,
  options: Partial<ModelFilesOptions> = {},
): Promise<Scene> {
  const resources = new AsyncDisposableStack();
  const folder = resources.use(await temporaryFolder());
  const server = resources.use(await serveFiles(answers));
  const diary = new DownloadDiary();
  const cache = join(folder.path, 'cache');
  const files = resources.use(
    new ModelFiles({
      cache: new CacheFolder(cache),
      observer: diary,
      packageBase: import.meta.url,
      environment: {},
      openUrl: server.openUrl,
      ...options,
    }),
  );
  return {
    ...{ cache, server, diary },
    get: (file, signal = new AbortController().signal) => files.get(file, signal),
    list: (name) => readdir(join(cache, name)).catch(() => []),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

describe('a file', () => {
  test('is got from the first source that gives it, and after that from the cache', async () => {
    await using scene = await setScene({ second: good, third: good });
    const file = fileFrom(at('first'), at('second'), at('third'));
    const path = await scene.get(file);
    expect(path).toBe(join(scene.cache, 'downloads', file.sha256));
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(await scene.get(file)).toBe(path);
    expect(scene.server.asked).toEqual(['first', 'second']);
    expect(scene.diary.lines).toEqual([
      'started models.test',
      'failed models.test: answered with status 404',
      'started models.test',
      'finished models.test',
    ]);
    expect(scene.diary.received.at(-1)).toBe(CONTENT.length);
    expect(await scene.list('tmp')).toEqual([]);
  });

  test('is found in a cache that cannot be written', async () => {
    await using scene = await setScene({ first: good });
    await scene.get(fileFrom(at('first')));
    // Nothing can be made where things are made.
    await rm(join(scene.cache, 'tmp'), { recursive: true });
    await writeFile(join(scene.cache, 'tmp'), '');
    await using other = await setScene({}, { cache: new CacheFolder(scene.cache) });
    await other.get(fileFrom(at('nowhere')));
    expect(other.server.asked).toEqual([]);
  });

  test.each<[string, (path: string) => Promise<void>]>([
    ['cut off', (path) => truncate(path, HALF)],
    ['other bytes', (path) => writeFile(path, Buffer.alloc(CONTENT.length))],
    ['empty', (path) => truncate(path)],
  ])('that is %s in the cache is got anew', async (_, damage) => {
    await using scene = await setScene({ first: good });
    const file = fileFrom(at('first'));
    const path = await scene.get(file);
    await damage(path);
    await scene.get(file);
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(scene.server.asked).toHaveLength(2);
  });

  test('whose place a folder has is got all the same', async () => {
    await using scene = await setScene({ first: good });
    const file = fileFrom(at('first'));
    await mkdir(join(scene.cache, 'downloads', file.sha256, 'something'), { recursive: true });
    expect((await readFile(await scene.get(file))).equals(CONTENT)).toBe(true);
  });
});

describe('an https source', () => {
  test.each<[string, RequestListener, string]>([
    ['other bytes', (_, to) => to.end(Buffer.alloc(CONTENT.length)), 'gave other bytes (sha256 '],
    [
      'fewer bytes',
      (_, to) => to.write(CONTENT.subarray(0, HALF), () => to.end()),
      `gave ${HALF} `,
    ],
    [
      'more bytes',
      (_, to) => to.write(CONTENT, () => to.end('more')),
      `gave more than ${CONTENT.length} bytes`,
    ],
    [
      'another size',
      (_, to) => to.writeHead(200, { 'content-length': 7 }).end('7 bytes'),
      `offered 7 bytes instead of ${CONTENT.length}`,
    ],
    [
      'half of them and breaks off',
      (_, to) => {
        to.writeHead(200, { 'content-length': CONTENT.length });
        to.write(CONTENT.subarray(0, HALF), () => to.destroy());
      },
      'cannot be reached (ECONNRESET)',
    ],
    ['an error', (_, to) => to.writeHead(503).end(), 'answered with status 503'],
    ['a redirect to http', redirectTo('http://models.test/good'), 'redirected to no https address'],
    ['a redirect to nothing', redirectTo('https://'), 'redirected to no https address'],
    ['endless redirects', redirectTo('/bad'), 'redirected more than 5 times'],
  ])('that gives %s is passed over', async (_, bad, reason) => {
    await using scene = await setScene({ bad, good });
    await scene.get(fileFrom(at('bad'), at('good')));
    expect(scene.diary.lines[1]).toContain(`failed models.test: ${reason}`);
    expect(scene.diary.lines.at(-1)).toBe('finished models.test');
    expect(await scene.list('tmp')).toEqual([]);
  });

  test('is followed to another address', async () => {
    await using scene = await setScene({ old: redirectTo('https://elsewhere.test/good'), good });
    await scene.get(fileFrom(at('old')));
    expect(scene.server.asked).toEqual(['old', 'good']);
  });

  test.each<[string, RequestListener]>([
    ['never answers', () => undefined],
    ['stops in the middle', half],
  ])('that %s is given up', async (_, silent) => {
    const limits = { silenceMs: 300, totalMs: 3_600_000 };
    await using scene = await setScene({ silent }, { limits });
    // What else there is would have to be quick too, on a machine that may have much else to do.
    await expect(scene.get(fileFrom(at('silent')))).rejects.toThrow('said nothing for 0.3 s');
    expect(await scene.list('tmp')).toEqual([]);
  });

  test('that gives a byte now and then is given up in the end', async () => {
    const drip: RequestListener = (request, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      request.once('close', () => clearInterval(timer));
    };
    const limits = { silenceMs: 3_600_000, totalMs: 300 };
    await using scene = await setScene({ drip }, { limits });
    await expect(scene.get(fileFrom(at('drip')))).rejects.toThrow('took longer than 0.3 s');
  });

  test('that nobody answers for is named with the reason, without the address', async () => {
    await using scene = await setScene({});
    await using closed = await serveFiles({});
    await closed[Symbol.asyncDispose]();
    await using other = await setScene({}, { openUrl: closed.openUrl });
    const file = fileFrom({ url: 'https://user:secret@models.test/a' }, at('b'));
    await expect(other.get(file)).rejects.toMatchObject({
      name: 'FileUnavailable',
      message:
        'model.onnx: models.test cannot be reached (ECONNREFUSED); models.test cannot be reached (ECONNREFUSED)',
    });
    expect(scene.server.asked).toEqual([]);
  });

  test('is left at once when the start is ended', async () => {
    const stop = new AbortController();
    await using scene = await setScene({ half, good });
    const getting = scene.get(fileFrom(at('half'), at('good')), stop.signal);
    while (scene.diary.received.length === 0) await new Promise((next) => setTimeout(next, 5));
    const reason = new Error('SIGTERM was received.');
    stop.abort(reason);
    await expect(getting).rejects.toBe(reason);
    expect(scene.server.asked).toEqual(['half']);
    expect(await scene.list('tmp')).toEqual([]);
    expect(await scene.list('downloads')).toEqual([]);
  });

  test('is reached through the proxy of the environment', async () => {
    // Nothing listens there: the proxy is what is asked, not the host, which does not exist.
    const environment = { HTTPS_PROXY: 'http://user:secret@127.0.0.1:9' };
    await using folder = await temporaryFolder();
    await using files = new ModelFiles({
      cache: new CacheFolder(folder.path),
      observer: new DownloadDiary(),
      packageBase: import.meta.url,
      environment,
    });
    await expect(files.get(fileFrom(at('model')), new AbortController().signal)).rejects.toThrow(
      'model.onnx: models.test cannot be reached (ECONNREFUSED)',
    );
  });
});

describe('an npm package', () => {
  const source = (path: string, npmPackage = 'yauzl') => ({ npmPackage, path });

  test('is read whatever its exports say', async () => {
    const manifest = resolve('node_modules/yauzl/package.json');
    const content = await readFile(manifest);
    const sha256 = createHash('sha256').update(content).digest('hex');
    await using scene = await setScene({});
    const path = await scene.get({
      ...{ name: 'package.json', sha256, bytes: content.length },
      sources: [source('package.json')],
    });
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(scene.diary.lines).toEqual(['started npm (yauzl)', 'finished npm (yauzl)']);
  });

  test.each([
    ['that is not installed', source('a', '@sightline/nothing'), 'is not installed'],
    ['without the file', source('no/such.bin'), 'has no readable no/such.bin (ENOENT)'],
    ['with another file', source('package.json'), `gave `],
  ])('%s is passed over', async (_, from, reason) => {
    await using scene = await setScene({ good });
    await scene.get(fileFrom(from, at('good')));
    expect(scene.diary.lines[1]).toContain(reason);
  });
});

describe('a cache', () => {
  test('that cannot be written ends the search with one sentence', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'file'), '');
    const cache = join(folder.path, 'file', 'cache');
    await using scene = await setScene({ good }, { cache: new CacheFolder(cache) });
    await expect(scene.get(fileFrom(at('good'), at('good')))).rejects.toMatchObject({
      name: 'CacheUnusable',
      message: `the cache ${cache} cannot be used (ENOTDIR)`,
    });
    expect(scene.server.asked).toEqual([]);
  });

  test('is swept of what has been left over for an hour', async () => {
    await using scene = await setScene({ good });
    const temporary = join(scene.cache, 'tmp');
    await mkdir(join(temporary, 'old-folder'), { recursive: true });
    await writeFile(join(temporary, 'old'), 'half');
    await writeFile(join(temporary, 'young'), 'half');
    const before = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(temporary, 'old'), before, before);
    await utimes(join(temporary, 'old-folder'), before, before);
    await scene.get(fileFrom(at('good')));
    expect(await scene.list('tmp')).toEqual(['young']);
  });

  test('is used by many at once', async () => {
    await using scene = await setScene({ good });
    const file = fileFrom(at('good'));
    const others = await Promise.all(
      Array.from({ length: 4 }, () => setScene({ good }, { cache: new CacheFolder(scene.cache) })),
    );
    const paths = await Promise.all(others.map((other) => other.get(file)));
    for (const path of paths) expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(await scene.list('tmp')).toEqual([]);
    await Promise.all(others.map((other) => other[Symbol.asyncDispose]()));
  });

  test('is whole after its process was killed in the middle', async () => {
    let begun = (): void => undefined;
    const isUnderWay = new Promise<void>((done) => (begun = done));
    await using scene = await setScene({
      half: (request, response) => {
        half(request, response);
        begun();
      },
      good,
    });
    const script = join(import.meta.dirname, 'fixtures/get-file.ts');
    const child = spawn(process.execPath, [script, scene.cache, `${scene.server.port}`, 'half']);
    await isUnderWay;
    while ((await scene.list('tmp')).length === 0) await new Promise((next) => setTimeout(next, 5));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await scene.list('downloads')).toEqual([]);
    const path = await scene.get(fileFrom(at('good')));
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
  });
});

const small = mountSmall(1);
const describeOnFullDisk = small === null ? describe.skip : describe;
const skipped = small === null ? ' [skipped: this account cannot mount a small file system]' : '';

describeOnFullDisk(`a full disk${skipped}`, () => {
  test('is said, leaves nothing, and is no fault of the source', async () => {
    using disk = small!;
    await writeFile(join(disk.path, 'filler'), Buffer.alloc(900_000));
    await using scene = await setScene({ good }, { cache: new CacheFolder(disk.path) });
    await expect(scene.get(fileFrom(at('good'), at('good')))).rejects.toMatchObject({
      name: 'CacheUnusable',
      message: `the cache ${disk.path} cannot be used (ENOSPC)`,
    });
    expect(await readdir(join(disk.path, 'tmp'))).toEqual([]);
    expect(scene.server.asked).toEqual(['good']);
  });
});
