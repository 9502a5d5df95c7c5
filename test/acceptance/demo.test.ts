import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { hasShared, shared } from '../support/fixtures/shared.ts';
import { testInSoak } from '../support/gates/soak.ts';
import { runDemo } from '../support/services/running-demo.ts';
import { describeWithStarter } from '../support/fixtures/starter-cache.ts';

/** HEIC, which neither browsers nor the demo's image library read. */
const HEIC = resolve(import.meta.dirname, '../../packages/engine/fixtures/master.heic');

let out: string;

beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), 'pictures-'));
});

afterEach(() => rm(out, { recursive: true }));

/** Decodes a written picture completely, and returns its width and height. */
async function decoded(name: string): Promise<readonly [width: number, height: number]> {
  const { info } = await sharp(await readFile(join(out, name)))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [info.width, info.height];
}

/** The cells of the rows whose first word is `first`. */
function rows(stdout: string, first: string): string[][] {
  const lines = stdout.split('\n').filter((line) => line.startsWith(`${first} `));
  return lines.map((line) => line.split(/ {2,}/));
}

describeWithStarter('make demo', () => {
  test('names the friends in the group picture, not the stranger, and shows objects', async () => {
    const { code, stdout, stderr, leftBehind } = await runDemo(['--out', out]);
    expect({ code, stderr, leftBehind }).toEqual({ code: 0, stderr: '', leftBehind: [] });

    const people = stdout.slice(stdout.indexOf('Who is in'), stdout.indexOf('What else'));
    for (const name of ['Ada', 'Kofi', 'Mei', 'Walter']) {
      const [[, similarity, next] = [], ...others] = rows(people, name);
      expect(others).toEqual([]);
      expect(Number(similarity)).toBeGreaterThan(0.8);
      expect(Number(next!.split(' ')[1])).toBeLessThan(0.6);
    }
    const strangers = rows(people, 'unknown');
    expect(strangers).toHaveLength(1);
    expect(Number(strangers[0]![1])).toBeLessThan(0.5);
    expect(people).toContain('5 faces');
    for (const object of ['clock', 'cup', 'person']) {
      expect(Number(rows(stdout, object)[0]?.[1])).toBeGreaterThan(0);
    }

    expect(await decoded('party.jpg')).toEqual([1600, 1000]);
    expect(await decoded('party-annotated.jpg')).toEqual([1600, 1000]);
    const [width, height] = await decoded('demo.jpg');
    expect([width > 1600, height]).toEqual([true, 1000]);
    expect((await readdir(join(out, 'portraits'))).sort()).toEqual([
      'ada.jpg',
      'kofi.jpg',
      'mei.jpg',
      'walter.jpg',
    ]);
    expect(stdout).toContain('make start');
    expect(stdout).not.toContain('\u001b');
  });

  testInSoak('Ctrl-C leaves nothing behind', async () => {
    const { stdout, stderr, leftBehind } = await runDemo(['--out', out], {
      interruptAt: 'Sightline was ready after',
    });
    expect(stdout).not.toContain('Next:');
    expect({ stderr, leftBehind }).toEqual({ stderr: '', leftBehind: [] });
  });

  describe('PHOTO', () => {
    test('a format that no browser shows comes back as JPEG', async () => {
      const { code, stdout, leftBehind } = await runDemo(['--photo', HEIC, '--out', out]);
      expect({ code, leftBehind }).toEqual({ code: 0, leftBehind: [] });
      const [, width, height] = /(\d+) x (\d+) pixels/.exec(stdout)!;
      expect(await decoded('master-annotated.jpg')).toEqual([Number(width), Number(height)]);
      expect(
        (await sharp(await readFile(join(out, 'master-annotated.jpg'))).metadata()).format,
      ).toBe('jpeg');
    });

    (hasShared() ? testInSoak : test.skip)('objects and faces of a photo', async () => {
      const photo = shared('photos/objects/dog.jpg');
      const { code, stdout } = await runDemo(['--photo', photo, '--out', out]);
      expect(code).toBe(0);
      for (const object of ['dog', 'bicycle']) {
        expect(rows(stdout, object)).toHaveLength(1);
      }
      expect(stdout).toContain('No faces were found.');
      expect(await decoded('dog-annotated.jpg')).toEqual([768, 576]);
    });

    test('a photo that is none is refused in one sentence', async () => {
      const { code, stderr, leftBehind } = await runDemo(['--photo', 'Makefile', '--out', out]);
      expect({ code, leftBehind }).toEqual({ code: 1, leftBehind: [] });
      expect(stderr).toMatch(/^Makefile was refused: .+\n$/);
      expect(await readdir(out)).toEqual([]);
    });
  });

  (hasShared() ? test : test.skip)(
    'FOLDER enrolls a photo of each person and tells the rest apart',
    async () => {
      await using people = await arranged(['Alejandro_Toledo', 'Alvaro_Uribe']);
      const args = ['--folder', people.path, '--out', out];
      const { code, stdout, stderr, leftBehind } = await runDemo(args);
      expect({ code, stderr, leftBehind }).toEqual({ code: 0, stderr: '', leftBehind: [] });
      // The columns: who, enrolled, asked, right, wrong, unknown, no face.
      expect(rows(stdout, 'all')[0]!.slice(0, 7)).toEqual(['all', '2', '4', '4', '0', '0', '0']);
      expect(await decoded('Alvaro_Uribe/Alvaro_Uribe_0003.jpg')).toEqual([250, 250]);
    },
  );
});

describe('what is wrong is one sentence and exit code 1', () => {
  test('a photo that is not there, before anything starts', async () => {
    const { code, stdout, stderr } = await runDemo(['--photo', 'gone.jpg']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('gone.jpg cannot be read: no such file.\n');
  });

  test('a folder without people', async () => {
    const { code, stdout, stderr } = await runDemo(['--folder', out]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^There are no people in .+\n$/);
  });

  test('a start that ends', async () => {
    const { code, stderr, leftBehind } = await runDemo([], {
      settings: { SIGHTLINE_WORKERS: 'many' },
    });
    expect({ code, leftBehind }).toEqual({ code: 1, leftBehind: [] });
    expect(stderr).toContain('SIGHTLINE_WORKERS is "many"');
    expect(stderr).not.toContain('    at ');
  });
});

/** Copies three shared photos of each person into a folder of that person. */
async function arranged(
  names: readonly string[],
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'people-'));
  for (const name of names) {
    await mkdir(join(path, name));
    for (const photo of [1, 2, 3].map((number) => `${name}_000${number}.jpg`)) {
      await cp(shared('photos/lfw', photo), join(path, name, photo));
    }
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
