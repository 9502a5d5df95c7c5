import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FileMediaStore } from '@sightline/media/fs/file-media-store';
import { keepReserve } from './keep-reserve.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-reserve-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const openMedia = () => FileMediaStore.open({ folder: join(folder, 'media') });

test('while the disk of the database lacks its reserve, images are refused and health reports that', async () => {
  const media = keepReserve(await openMedia(), folder, Number.MAX_SAFE_INTEGER);
  const full = {
    code: 'store_unavailable',
    message: expect.stringMatching(/^The disk of the database is full up to its reserve: [\d,]+ /),
  };
  await expect(media.requireAnswer()).rejects.toMatchObject(full);
  await expect(media.check()).rejects.toMatchObject(full);
  expect(await media.freeBytes()).toBeGreaterThan(0);
});

test('with the reserve, only errors of the image store are reported', async () => {
  const media = keepReserve(await openMedia(), folder, 0);
  await media.requireAnswer();
  await media.check();
  await rm(join(folder, 'media'), { recursive: true });
  const failure = { code: 'store_unavailable', message: 'The media store failed.' };
  await expect(media.requireAnswer()).rejects.toMatchObject(failure);
  await expect(media.check()).rejects.toMatchObject(failure);
});
