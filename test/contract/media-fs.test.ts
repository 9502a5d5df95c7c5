import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileMediaStore } from '@sightline/media-fs/file-media-store';
import { describeAnswers } from './answering-store.contract.ts';
import { describeMediaStore } from './media-store.contract.ts';

describeMediaStore('media-fs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-media-'));
  return {
    store: await FileMediaStore.open({ folder }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
});

describeAnswers(
  'media-fs',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'sightline-media-'));
    const [folder, elsewhere] = [join(parent, 'media'), join(parent, 'elsewhere')];
    return {
      store: await FileMediaStore.open({ folder }),
      outages: {
        gone: { begin: () => rename(folder, elsewhere), end: () => rename(elsewhere, folder) },
      },
      [Symbol.asyncDispose]: () => rm(parent, { recursive: true }),
    };
  },
  { code: 'store_unavailable', outages: ['gone'] },
);
