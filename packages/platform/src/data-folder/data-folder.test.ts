import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeAsNobody, NOBODY } from '@sightline/test/support/gates/describe-as-root';
import { DataFolder, holderOf } from './data-folder.ts';

const SCRIPT = join(import.meta.dirname, 'fixtures/hold-folder.ts');
const VERSION = { product: '1.0.0', postgres: 18 };

let parent: string;
let path: string;
let children: ChildProcess[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'data-folder-'));
  path = join(parent, 'data');
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(parent, { recursive: true });
});

/** Starts a process that opens the folder. Returns the process and the first line of its output. */
async function another(
  account: { readonly uid?: number; readonly gid?: number } = {},
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [SCRIPT, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...account,
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: line.toString().trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a new folder', () => {
  test('is closed to other accounts, and names the version that created it', async () => {
    using folder = await DataFolder.open(path, VERSION);
    // As root, the folder can be traversed, because the database runs under another account.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
    expect((await stat(path)).mode & 0o777).toBe(mode);
    expect((await stat(folder.media)).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, 'lock'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(path, 'version.json'), 'utf8'))).toEqual({
      format: 1,
      product: '1.0.0',
      postgres: 18,
    });
    expect((await readdir(path)).sort()).toEqual(['holder', 'lock', 'media', 'version.json']);
    expect(folder).toMatchObject({
      path,
      shared: false,
      postgres: join(path, 'postgres'),
      apiKey: join(path, 'api-key'),
    });
  });

  test('may exist already, even as the root of a file system', async () => {
    await mkdir(join(path, 'lost+found'), { recursive: true });
    using folder = await DataFolder.open(path, VERSION);
    expect(folder.shared).toBe(false);
  });

  test('is still new after an interrupted first start', async () => {
    (await DataFolder.open(path, VERSION))[Symbol.dispose]();
    await rm(join(path, 'version.json'));
    await rm(join(path, 'media'), { recursive: true });
    using folder = await DataFolder.open(path, VERSION);
    expect(await readdir(folder.path)).toContain('version.json');
  });
});

describe('one process at a time', () => {
  test('a second process is refused with a message that names the holder', async () => {
    const { child, said } = await another();
    expect(said).toBe('held');
    await expect(DataFolder.open(path, VERSION)).rejects.toThrow(
      `The data folder ${path} is in use by process ${child.pid}: stop that process first`,
    );
  });

  test('a second lock by the same process is refused', async () => {
    using folder = await DataFolder.open(path, VERSION);
    await expect(DataFolder.open(folder.path, VERSION)).rejects.toThrow(
      `in use by process ${process.pid}`,
    );
  });

  test('a folder whose holder was killed is free, even if its pid is in use again', async () => {
    const { child } = await another();
    await kill(child);
    await writeFile(join(path, 'holder'), `${process.ppid}\n`);
    using folder = await DataFolder.open(path, VERSION);
    expect(await holderOf(folder.path)).toBe(process.pid);
  });

  test('if several processes start at the same time, exactly one gets the lock, in each of several rounds', async () => {
    for (let round = 0; round < 2; round++) {
      const starts = await Promise.all([another(), another(), another()]);
      const holders = starts.filter(({ said }) => said === 'held');
      expect(holders).toHaveLength(1);
      for (const { said } of starts) expect(said).toMatch(/^held$|is in use by/);
      await kill(holders[0]!.child);
    }
  });

  test('a released folder is free', async () => {
    (await DataFolder.open(path, VERSION))[Symbol.dispose]();
    expect((await another()).said).toBe('held');
  });
});

describe('attach', () => {
  test('shares a folder that another process holds', async () => {
    const { child } = await another();
    using folder = await DataFolder.attach(path, VERSION);
    expect(folder.shared).toBe(true);
    expect(await holderOf(path)).toBe(child.pid);
  });

  test('locks a free folder', async () => {
    using folder = await DataFolder.attach(path, VERSION);
    expect(folder.shared).toBe(false);
    expect((await another()).said).toContain('is in use by');
  });
});

describe('a folder that cannot be used ends the start with an explanation', () => {
  async function refusal(): Promise<string> {
    return DataFolder.open(path, VERSION).then(
      () => 'accepted',
      (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
    );
  }

  async function writeVersion(text: string): Promise<void> {
    await mkdir(path);
    await writeFile(join(path, 'version.json'), text);
  }

  test('a folder of another program, which stays unchanged', async () => {
    await mkdir(path);
    await writeFile(join(path, 'thesis.tex'), '');
    expect(await refusal()).toBe(
      `StartError: ${path} is not a data folder of Sightline (it contains thesis.tex, but no version.json): set SIGHTLINE_DATA to an empty or a new folder.`,
    );
    expect(await readdir(path)).toEqual(['thesis.tex']);
  });

  test('a folder of another format', async () => {
    await writeVersion('{"format": 2, "product": "3.1.0", "postgres": 18}');
    expect(await refusal()).toMatch(
      /^StartError: The data in .* was written by Sightline 3\.1\.0 in another format \(2\)/,
    );
  });

  test('a folder of another Postgres version', async () => {
    await writeVersion('{"format": 1, "product": "3.1.0", "postgres": 19}');
    expect(await refusal()).toMatch(
      /^StartError: The database in .* belongs to Postgres 19, but this Sightline runs Postgres 18/,
    );
  });

  test.each(['', '{', '{"format": 1}', '[]'])('a folder whose version file is %j', async (text) => {
    await writeVersion(text);
    expect(await refusal()).toMatch(
      /^StartError: .* version\.json is damaged\. Restore a backup\.$/,
    );
  });

  test('a path of a file', async () => {
    await writeFile(path, '');
    expect(await refusal()).toMatch(/^StartError: The data folder .* cannot be used \(EEXIST/);
  });

  test('a refusal releases the folder', async () => {
    await writeVersion('{');
    await refusal();
    await rm(join(path, 'version.json'));
    expect(await refusal()).toBe('accepted');
  });
});

describeAsNobody('an account that may not write', () => {
  beforeEach(() => chmod(parent, 0o711));

  test.each(['make', 'write', 'lock'])('gets an explanation: it cannot %s', async (what) => {
    if (what !== 'make') await mkdir(path, { mode: 0o755 });
    if (what === 'lock') {
      await chmod(path, 0o777);
      await writeFile(join(path, 'lock'), '', { mode: 0o600 });
    }
    expect((await another(NOBODY)).said).toBe(
      `The data folder ${path} cannot be used (EACCES: permission denied, ${
        { make: `mkdir '${path}'`, write: `access '${path}'`, lock: `access '${path}/lock'` }[what]
      }): let this account write there, or set SIGHTLINE_DATA to another folder.`,
    );
  });
});

test('another version of the same format uses the folder, and updates the version file', async () => {
  (await DataFolder.open(path, VERSION))[Symbol.dispose]();
  using folder = await DataFolder.open(path, { ...VERSION, product: '1.1.0' });
  const text = await readFile(join(folder.path, 'version.json'), 'utf8');
  expect(JSON.parse(text)).toEqual({ format: 1, product: '1.1.0', postgres: 18 });
});
