import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { peopleFolder } from './people-folder.ts';

describe('peopleFolder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'people-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function put(path: string): Promise<void> {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), '');
  }

  test('a person has the photos of a folder, in numeric order', async () => {
    for (const path of ['Mei/10.jpg', 'Mei/2.HEIC', 'Ada/a.png', 'Ada/notes.txt']) await put(path);
    expect(await peopleFolder(folder)).toEqual([
      { name: 'Ada', photos: [join(folder, 'Ada/a.png')] },
      { name: 'Mei', photos: [join(folder, 'Mei/2.HEIC'), join(folder, 'Mei/10.jpg')] },
    ]);
  });

  test('ignores files beside the folders, hidden files, and folders without photos', async () => {
    for (const path of ['Ada/1.jpg', 'group.jpg', '.git/x.jpg', 'Ada/.x.jpg', 'Bo/list.csv']) {
      await put(path);
    }
    expect((await peopleFolder(folder)).map(({ name, photos }) => [name, photos.length])).toEqual([
      ['Ada', 1],
    ]);
  });

  test('refuses a folder without people, and says what it expects', async () => {
    await put('1.jpg');
    await expect(peopleFolder(folder)).rejects.toThrow('one folder for each person');
  });

  test('refuses a folder that does not exist', async () => {
    await expect(peopleFolder(join(folder, 'gone'))).rejects.toThrow('no such folder');
  });
});
