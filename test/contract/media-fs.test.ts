import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileMediaStore } from '@sightline/media-fs/file-media-store';
import { describeMediaStore } from './media-store.contract.ts';

describeMediaStore('media-fs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-media-'));
  return {
    store: await FileMediaStore.open({ folder }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
});
