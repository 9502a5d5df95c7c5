import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type {
  Installation,
  InstallationStore,
} from '@sightline/core/installation/installation-store';
import {
  type FilesDeps,
  type ExternalBucket,
  requireBucket,
  requireFiles,
  requireKnownBucket,
  requireKnownFiles,
} from './media-location.ts';

const ID = '3f9a51c0-0000-4000-8000-000000000001';
const OTHER_ID = '3f9a51c0-0000-4000-8000-000000000002';

class MemoryInstallation implements InstallationStore {
  known: Installation = { id: ID, media: null };

  read(): Promise<Installation> {
    return Promise.resolve(this.known);
  }

  replace(before: Installation, after: Installation): Promise<Installation> {
    if (JSON.stringify(before) === JSON.stringify(this.known)) this.known = after;
    return this.read();
  }

  claimSecretKey(): Promise<boolean> {
    return Promise.resolve(true);
  }

  replaceSecretKey(): Promise<void> {
    return Promise.resolve();
  }

  services(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}

let parent: string;
let installation: MemoryInstallation;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'sightline-location-'));
  installation = new MemoryInstallation();
});
afterEach(() => rm(parent, { recursive: true }));

async function withFolder(name = 'data'): Promise<FilesDeps> {
  const path = join(parent, name);
  await mkdir(path, { recursive: true });
  return { installation, folder: { path, media: join(path, 'media') }, rows: 'these rows' };
}

const bare = () => ({ installation, folder: null, rows: 'these rows' });

interface FakeBucket extends ExternalBucket {
  ownedBy: string | null;
}

function bucket(location = 'the bucket a', ownedBy: string | null = null): FakeBucket {
  return {
    location,
    ownedBy,
    owner() {
      return Promise.resolve(this.ownedBy);
    },
    claim(owner) {
      this.ownedBy = owner;
      return Promise.resolve();
    },
  };
}

describe('files in a data folder', () => {
  test('stay in the first folder, at every start', async () => {
    const data = await withFolder();
    await requireFiles(data);
    await requireFiles(data);
    await requireKnownFiles(data);
    expect(installation.known).toMatchObject({ id: ID, media: { kind: 'files' } });
  });

  test('cannot be in a second folder for the same database', async () => {
    await requireFiles(await withFolder());
    const second = await withFolder('second');
    const refusal = `The images of these rows are files in another data folder than ${second.folder.path}`;
    await expect(requireFiles(second)).rejects.toThrow(refusal);
    await expect(requireKnownFiles(second)).rejects.toThrow(refusal);
    await requireFiles(await withFolder());
  });

  test('belong to one of two folders whose processes start at the same time', async () => {
    const both = [await withFolder(), await withFolder('second')];
    const results = await Promise.allSettled(both.map((deps) => requireFiles(deps)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('stay the same after a crash during the first start', async () => {
    const data = await withFolder();
    const failing = Object.assign(new MemoryInstallation(), {
      replace: () => Promise.reject(new Error('killed')),
    });
    await expect(requireFiles({ ...data, installation: failing })).rejects.toThrow('killed');
    await requireFiles(data);
    await requireFiles(data);
  });

  test('prevent the use of a bucket', async () => {
    const data = await withFolder();
    await requireFiles(data);
    await mkdir(join(data.folder.media, 'objects', '1'), { recursive: true });
    const untouched = bucket();
    await expect(requireBucket(data, untouched)).rejects.toThrow(
      `The images of ${data.folder.path} are files in ${data.folder.media}/objects`,
    );
    const elsewhere = 'The images of these rows are files in a data folder';
    await expect(requireBucket(bare(), untouched)).rejects.toThrow(elsewhere);
    await expect(requireBucket(await withFolder('second'), untouched)).rejects.toThrow(elsewhere);
    await expect(requireKnownBucket(data, untouched)).rejects.toThrow('are files');
    expect(untouched.ownedBy).toBeNull();
    await requireFiles(data);
  });

  test('no longer prevent the use of a bucket after they were moved', async () => {
    const data = await withFolder();
    await requireFiles(data);
    await requireBucket(data, bucket());
    expect(installation.known.media).toEqual({ kind: 'bucket', location: 'the bucket a' });
  });
});

describe('a bucket with an owner', () => {
  test('is stored in the database and used by every process, also at a new address', async () => {
    const taken = bucket();
    await requireBucket(await withFolder(), taken);
    expect(taken.ownedBy).toBe(ID);
    await requireBucket(bare(), taken);
    await requireBucket(bare(), bucket('the bucket a at a new address', ID));
    expect(installation.known.media?.location).toBe('the bucket a at a new address');
    await requireKnownBucket(bare(), taken);
  });

  test('can be read between a release and the next start, but not before the first start', async () => {
    const taken = bucket();
    await expect(requireKnownBucket(bare(), taken)).rejects.toThrow(
      'The installation in these rows has no bucket yet: start the service once; it then uses the bucket a.',
    );
    expect(taken.ownedBy).toBeNull();
    await requireBucket(bare(), taken);
    installation.known = { id: ID, media: null };
    await requireKnownBucket(bare(), taken);
  });

  test('is required for every later start', async () => {
    const data = await withFolder();
    await requireBucket(data, bucket());
    await expect(requireFiles(data)).rejects.toThrow(
      'The images of these rows are in the bucket a: set SIGHTLINE_S3_ENDPOINT',
    );
    await expect(requireKnownFiles(data)).rejects.toThrow('are in the bucket a');
    await expect(requireBucket(data, bucket('the bucket b'))).rejects.toThrow(
      'are in the bucket a, not in the bucket b',
    );
    await expect(requireBucket(data, bucket())).rejects.toThrow(
      'were in the bucket a, but the bucket contains none of them: restore the bucket.',
    );
  });

  test('is refused to another installation, whose worker would delete its images', async () => {
    const taken = bucket('the bucket a', OTHER_ID);
    const refusal = 'There are images of another installation in the bucket a';
    await expect(requireBucket(bare(), taken)).rejects.toThrow(refusal);
    // This bucket has no owner at first, but another installation claims it before this installation does.
    const disputed = bucket();
    disputed.claim = () => {
      disputed.ownedBy = OTHER_ID;
      return Promise.resolve();
    };
    await expect(requireBucket(bare(), disputed)).rejects.toThrow(refusal);
    expect(installation.known.media).toBeNull();
    await requireBucket(bare(), bucket('the bucket b'));
    await expect(requireBucket(bare(), taken)).rejects.toThrow(refusal);
    await expect(requireKnownBucket(bare(), taken)).rejects.toThrow(refusal);
  });

  test('stays the same after a crash during the first start', async () => {
    const taken = bucket();
    const failing = Object.assign(new MemoryInstallation(), {
      replace: () => Promise.reject(new Error('killed')),
    });
    await expect(requireBucket({ ...bare(), installation: failing }, taken)).rejects.toThrow();
    expect(taken.ownedBy).toBe(ID);
    await requireBucket(bare(), taken);
    expect(installation.known.media).toEqual({ kind: 'bucket', location: 'the bucket a' });
  });
});
