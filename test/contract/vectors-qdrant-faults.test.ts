import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '@sightline/platform/logging/logger';
import type { QdrantTimeouts } from '@sightline/vectors/qdrant/qdrant-options';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import type { Fault } from '../faults/breakable-service.ts';
import { cannotFillDisk, fullness, readOnliness } from '../faults/full-disk.ts';
import { mountSmall, type SmallFileSystem } from '../support/fixtures/small-file-system.ts';
import { openQdrantOfVersion } from '../support/servers/qdrant-of-version.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { QdrantProcess } from '../support/servers/qdrant-process.ts';
import { at, axis, point, someSpace } from './vector-index/sample-vectors.ts';

const unavailable = expect.objectContaining({ code: 'vectors_unavailable' });
const LONG_TIMEOUTS = { read: 60_000, write: 60_000, change: 60_000 };
const query = { vectors: [axis(0)], limit: 3 };
const installation = '00000000-0000-4000-8000-00000000fa17';
const prefix = 'sightline-00000000fa17';

function openIndex(url: URL, timeouts: QdrantTimeouts = LONG_TIMEOUTS): QdrantVectorIndex {
  return new QdrantVectorIndex({
    url,
    installation,
    timeouts,
    logger: createLogger({ level: 'error', destination: { write: () => undefined } }),
  });
}

describeWithQdrantProcess('a Qdrant that fails', () => {
  let qdrant: QdrantProcess;
  beforeEach(async () => {
    qdrant = await QdrantProcess.start();
  });
  afterEach(async () => {
    await qdrant[Symbol.asyncDispose]();
  });

  const open = (timeouts?: QdrantTimeouts) => openIndex(qdrant.url, timeouts);

  async function collections(): Promise<string[]> {
    const response = await fetch(new URL('/collections', qdrant.url));
    const { result } = (await response.json()) as {
      readonly result: { readonly collections: readonly { readonly name: string }[] };
    };
    return result.collections.map(({ name }) => name);
  }

  const removeCollection = (name: string) =>
    fetch(new URL(`/collections/${name}`, qdrant.url), { method: 'DELETE' });

  /**
   * Leaves a collection without its alias, as an interrupted creation of the collection does: the alias is created
   * last.
   */
  const removeAlias = (alias_name: string) =>
    fetch(new URL('/collections/aliases', qdrant.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ actions: [{ delete_alias: { alias_name } }] }),
    });

  test('is unavailable while it is down, and ready when it is back, without a write', async () => {
    const [index, space] = [open(), someSpace()];
    await (await index.begin()).publish();
    await index.upsert(space, [point(1, 7, axis(0)), point(2, null, at(0.5))]);
    await qdrant.kill();
    expect(await index.state()).toBe('unavailable');
    await expect(index.searchIdentities(space, query)).rejects.toEqual(unavailable);
    await qdrant.start();
    expect(await index.state()).toBe('ready');
    expect(await index.searchIdentities(space, query)).toMatchObject([[{ identityId: 7 }]]);
    expect(await index.list(space, { after: 0, limit: 5 })).toHaveLength(2);
  });

  test('is unavailable while it hangs, and ready when it goes on', async () => {
    const [index, space] = [open(), someSpace()];
    await (await index.begin()).publish();
    await index.upsert(space, [point(1, 7, axis(0))]);
    qdrant.hang();
    const hurried = open({ ...LONG_TIMEOUTS, read: 1_000 });
    expect(await hurried.state()).toBe('unavailable');
    await expect(hurried.searchPoints(space, query)).rejects.toEqual(unavailable);
    qdrant.resume();
    expect(await open().state()).toBe('ready');
    expect(await open().searchPoints(space, query)).toMatchObject([[{ id: 1 }]]);
  });

  test('is incomplete when it has lost its disk, and takes nothing until it is filled', async () => {
    const [index, space] = [open(), someSpace()];
    await (await index.begin()).publish();
    await index.upsert(space, [point(1, 7, axis(0))]);
    await qdrant.kill();
    await qdrant.loseDisk();
    await qdrant.start();
    expect(await index.state()).toBe('incomplete');
    await expect(index.searchPoints(space, query)).rejects.toEqual(unavailable);
    await expect(index.upsert(space, [point(2, 7, axis(0))])).rejects.toEqual(unavailable);
    expect(await collections()).toEqual([]);
    await (await index.begin()).publish();
    expect(await index.state()).toBe('ready');
  });

  test('is incomplete when it has lost one collection', async () => {
    const [index, space] = [open(), someSpace()];
    const other = { ...space, kind: 'faces' } as const;
    await (await index.begin()).publish();
    await index.upsert(space, [point(1, 7, axis(0))]);
    await index.upsert(other, [point(1, 7, axis(0))]);
    const lost = (await collections()).find((name) => name.startsWith(`${prefix}-references`));
    await removeCollection(lost!);
    expect(await index.state()).toBe('incomplete');
    await expect(index.searchPoints(space, query)).rejects.toEqual(unavailable);
    await expect(index.upsert(space, [point(2, 7, axis(0))])).rejects.toEqual(unavailable);
    await expect(index.remove(space, [1])).rejects.toEqual(unavailable);
    expect(await index.searchPoints(other, query)).toHaveLength(1);
  });

  test('goes on where a process was killed over creating a collection', async () => {
    const [index, space] = [open(), someSpace()];
    await (await index.begin()).publish();
    await index.upsert(space, [point(1, 7, axis(0))]);
    await index.remove(space, [1]);
    await removeAlias(`${prefix}-references-${space.modelId}-${space.dimension}`);
    expect(await index.searchPoints(space, query)).toEqual([[]]);
    expect(await index.state()).toBe('ready');
    await index.upsert(space, [point(2, 7, axis(0))]);
    expect(await index.searchPoints(space, query)).toMatchObject([[{ id: 2 }]]);
    expect(await index.state()).toBe('ready');
  });

  test('is incomplete without the list of its collections', async () => {
    const [index, space] = [open(), someSpace()];
    await (await index.begin()).publish();
    await index.upsert(space, [point(1, 7, axis(0))]);
    const list = (await collections()).find((name) => name.startsWith(`${prefix}-index`));
    await removeCollection(list!);
    expect(await index.state()).toBe('incomplete');
  });

  test('lists a point that was written without a fingerprint as one without', async () => {
    const [index, space] = [open(), someSpace()];
    await (await index.begin()).publish();
    await index.upsert(space, [point(1, 7, axis(0)), point(2, 7, axis(1))]);
    const alias = `${prefix}-references-${space.modelId}-${space.dimension}`;
    await fetch(new URL(`/collections/${alias}/points/payload/delete?wait=true`, qdrant.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ keys: ['fingerprint'], filter: {} }),
    });
    const listed = async () => {
      const entries = await index.list(space, { after: 0, limit: 9 });
      return entries.map(({ identityId, fingerprint }) => [identityId, fingerprint]);
    };
    expect(await listed()).toEqual([
      [7, null],
      [7, null],
    ]);
    await index.upsert(space, [point(2, 7, axis(1))]);
    expect(await listed()).toEqual([
      [7, null],
      [7, 20],
    ]);
  });

  test('removes drafts that were not ended, and what was replaced', async () => {
    const space = someSpace();
    const first = await open().begin();
    await first.upsert(space, [point(1, 7, axis(0))]);
    await first.publish();
    const abandoned = await open().begin();
    await abandoned.upsert(space, [point(2, 7, axis(0))]);
    expect(await collections()).toHaveLength(4);
    const second = await open().begin();
    expect(await collections()).toHaveLength(3);
    await second.upsert(space, [point(3, 7, axis(0))]);
    await second.publish();
    expect(await collections()).toHaveLength(2);
    await expect(abandoned.publish()).rejects.toEqual(unavailable);
    expect(await open().state()).toBe('ready');
    expect(await open().searchPoints(space, query)).toMatchObject([[{ id: 3 }]]);
  });

  test('leaves other installations and other collections alone', async () => {
    const other = new URL('/collections/another', qdrant.url);
    const body = JSON.stringify({ vectors: { size: 2, distance: 'Dot' } });
    const headers = { 'content-type': 'application/json' };
    await fetch(other, { method: 'PUT', body, headers });
    const [index, space] = [open(), someSpace()];
    await (await index.begin()).publish();
    await index.upsert(space, [point(1, 7, axis(0))]);
    await index.dropEnvironment(space.environmentId);
    await (await index.begin()).publish();
    expect(await collections()).toContain('another');
  });
});

/** The size of the disk, enough for two collections, each of which starts with a log of 32 MB. */
const DISK_MEGABYTES = 256;

const DISK_FAULTS: readonly (readonly [string, (disk: string) => Fault, string])[] = [
  ['full', fullness, 'The vector index has no disk space left.'],
  ['read-only', readOnliness, 'The disk of the vector index is read-only.'],
];

describeWithQdrantProcess('a Qdrant with a disk of its own', () => {
  const impossible = cannotFillDisk();
  const describeOnDisk = impossible === undefined ? describe : describe.skip;
  const reason = impossible === undefined ? '' : ` [skipped: ${impossible}]`;

  describeOnDisk.each(DISK_FAULTS)(`that is %s${reason}`, (_name, faultOf, sentence) => {
    let disk: SmallFileSystem;
    let qdrant: QdrantProcess;
    let index: QdrantVectorIndex;
    const space = someSpace();
    const other = { ...space, kind: 'faces' } as const;
    beforeEach(async () => {
      disk = mountSmall(DISK_MEGABYTES)!;
      qdrant = await QdrantProcess.start({ folder: join(disk.path, 'qdrant') });
      index = openIndex(qdrant.url);
      await (await index.begin()).publish();
      await index.upsert(space, [point(1, 7, axis(0))]);
    });
    afterEach(async () => {
      await qdrant[Symbol.asyncDispose]();
      disk[Symbol.dispose]();
    });

    test('answers searches, refuses a new collection with the reason, and takes it afterwards', async () => {
      const fault = faultOf(disk.path);
      const refused = expect.objectContaining({ code: 'vectors_unavailable', message: sentence });
      await fault.begin();
      try {
        await expect(index.upsert(other, [point(2, 7, axis(0))])).rejects.toEqual(refused);
        await expect(index.begin()).rejects.toEqual(refused);
        expect(await index.searchPoints(space, query)).toMatchObject([[{ id: 1 }]]);
      } finally {
        await fault.end();
      }
      await index.upsert(other, [point(2, 7, axis(0))]);
      expect(await index.searchPoints(other, query)).toMatchObject([[{ id: 2 }]]);
      await (await index.begin()).publish();
      expect(await index.state()).toBe('ready');
    });

    test('does not start on it, and has all of its points when it does', async () => {
      const fault = faultOf(disk.path);
      await qdrant.kill();
      await fault.begin();
      try {
        await expect(qdrant.start()).rejects.toThrow('qdrant ended');
        expect(await index.state()).toBe('unavailable');
        await expect(index.searchPoints(space, query)).rejects.toEqual(unavailable);
      } finally {
        await fault.end();
      }
      await qdrant.start();
      expect(await index.state()).toBe('ready');
      expect(await index.searchPoints(space, query)).toMatchObject([[{ id: 1 }]]);
    });
  });
});

describeWithQdrantProcess('a Qdrant that reports another version', () => {
  test.each(['1.18.3', '1.20.0'])('is used as any other: %s', async (version) => {
    await using qdrant = await QdrantProcess.start();
    await using proxy = await openQdrantOfVersion(qdrant.url, version);
    const warn = jest.spyOn(console, 'warn');
    const root = (await (await fetch(proxy.url)).json()) as { readonly version: string };
    expect(root.version).toBe(version);
    const [index, space] = [openIndex(proxy.url), someSpace()];
    const draft = await index.begin();
    await draft.upsert(space, [point(1, 7, axis(0))]);
    await draft.publish();
    await index.upsert(space, [point(2, 8, axis(1))]);
    await index.remove(space, [1]);
    expect(await index.state()).toBe('ready');
    expect(await index.list(space, { after: 0, limit: 5 })).toMatchObject([{ id: 2 }]);
    expect(await index.searchIdentities(space, { vectors: [axis(1)], limit: 3 })).toMatchObject([
      [{ identityId: 8 }],
    ]);
    expect(warn).not.toHaveBeenCalled();
  });
});
