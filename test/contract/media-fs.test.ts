import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileMediaStore } from '@sightline/media/fs/file-media-store';
import { cannotFillDisk, fullness } from '../faults/full-disk.ts';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import { describeAnswers } from './answering-store.contract.ts';
import { describeMediaStore } from './media-store.contract.ts';

describeMediaStore('media-fs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-media-'));
  return {
    store: await FileMediaStore.open({ folder }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
});

/** The reserve on a disk of 1 MiB. */
const RESERVE_BYTES = 64 * 1024;

describeAnswers(
  'media-fs',
  async () => {
    const disk = mountSmall(1);
    const parent = await mkdtemp(join(disk?.path ?? tmpdir(), 'sightline-media-'));
    const [folder, elsewhere] = [join(parent, 'media'), join(parent, 'elsewhere')];
    return {
      store: await FileMediaStore.open({ folder, reserveBytes: RESERVE_BYTES }),
      outages: {
        gone: { begin: () => rename(folder, elsewhere), end: () => rename(elsewhere, folder) },
        ...(disk !== null && { full: fullness(disk.path) }),
      },
      async [Symbol.asyncDispose]() {
        await rm(parent, { recursive: true });
        disk?.[Symbol.dispose]();
      },
    };
  },
  {
    code: 'store_unavailable',
    outages: ['gone', ...(cannotFillDisk() === undefined ? ['full'] : [])],
  },
);
