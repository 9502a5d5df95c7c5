import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  outsidePlace,
  type OutsideBucket,
  requireBucket,
  requireFiles,
  requireKnownBucket,
} from './media-place.ts';

let folder: { path: string; media: string };
beforeEach(async () => {
  const path = await mkdtemp(join(tmpdir(), 'sightline-place-'));
  folder = { path, media: join(path, 'media') };
});
afterEach(() => rm(folder.path, { recursive: true }));

interface FakeBucket extends OutsideBucket {
  ownedBy: string | null;
}

function bucket(place = 'the bucket a'): FakeBucket {
  return {
    place,
    ownedBy: null,
    owner() {
      return Promise.resolve(this.ownedBy);
    },
    claim(owner) {
      this.ownedBy = owner;
      return Promise.resolve();
    },
  };
}

test('a folder that has always kept files goes on with them', async () => {
  await requireFiles(folder);
  expect(await outsidePlace(folder)).toBeNull();
});

describe('a bucket that a folder has taken', () => {
  test('is its own from then on, wherever it is found', async () => {
    const taken = bucket();
    await requireBucket(folder, taken);
    expect(await outsidePlace(folder)).toBe('the bucket a');
    await requireBucket(folder, taken);
    const { ownedBy } = taken;
    await requireBucket(
      folder,
      Object.assign(bucket('the bucket a at a new address'), { ownedBy }),
    );
    expect(await outsidePlace(folder)).toBe('the bucket a at a new address');
    await requireKnownBucket(folder, taken);
  });

  test('is needed for every further start', async () => {
    await requireBucket(folder, bucket());
    await expect(requireFiles(folder)).rejects.toThrow(
      `The images of ${folder.path} are in the bucket a: set SIGHTLINE_S3_ENDPOINT`,
    );
    await expect(requireBucket(folder, bucket('the bucket b'))).rejects.toThrow(
      'are in the bucket a, not in the bucket b',
    );
    await expect(requireBucket(folder, bucket())).rejects.toThrow(
      'were in the bucket a, but nothing of them is there: restore that bucket.',
    );
  });

  test('is refused to another folder, whose worker would empty it', async () => {
    const taken = Object.assign(bucket(), { ownedBy: '3f9a51c0-0000-4000-8000-000000000000' });
    const refusal = 'There are images of another installation in the bucket a';
    await expect(requireBucket(folder, taken)).rejects.toThrow(refusal);
    await requireFiles(folder);
    await requireBucket(folder, bucket('the bucket b'));
    await expect(requireBucket(folder, taken)).rejects.toThrow(refusal);
  });

  test('stays the same over a crash while it was taken', async () => {
    const taken = bucket();
    const failing = { ...taken, claim: () => Promise.reject(new Error('killed')) };
    await expect(requireBucket(folder, failing)).rejects.toThrow('killed');
    await requireFiles(folder);
    // The claim may have been heard all the same.
    const half = JSON.parse(await readFile(join(folder.path, 'media.json'), 'utf8')) as {
      installation: string;
    };
    taken.ownedBy = half.installation;
    await requireBucket(folder, taken);
    expect(await outsidePlace(folder)).toBe('the bucket a');
  });
});

test('images that are files are not left behind', async () => {
  await mkdir(join(folder.media, 'objects', '1'), { recursive: true });
  const untouched = bucket();
  await expect(requireBucket(folder, untouched)).rejects.toThrow(
    `The images of ${folder.path} are files in ${folder.media}/objects`,
  );
  expect(untouched.ownedBy).toBeNull();
  await expect(requireKnownBucket(folder, untouched)).rejects.toThrow('are files');
  await requireFiles(folder);
});

test('a damaged file is named', async () => {
  await writeFile(join(folder.path, 'media.json'), '{');
  await expect(requireFiles(folder)).rejects.toThrow('media.json is damaged');
});
