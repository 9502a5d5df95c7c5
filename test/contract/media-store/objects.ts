import { expect, test } from '@jest/globals';
import type { LocalFile } from '@sightline/core/media/local-file';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import {
  digestOf,
  LARGE_BYTES,
  patterned,
  read,
  someObject,
  type OpenedStore,
} from './some-object.ts';

export function describeObjects(store: OpenedStore): void {
  test('gives back what was put', async () => {
    const { key, bytes } = someObject(70_000);
    await store().put(key, bytes);
    expect(await read(store(), key)).toEqual({ size: 70_000, bytes });
    expect(await read(store(), key)).toEqual({ size: 70_000, bytes });
  });

  test('has nothing where nothing was put', async () => {
    const { key } = someObject(1);
    expect(await store().open(key)).toBeNull();
    expect(await store().open(key, { first: 0, last: 1 })).toBeNull();
  });

  test('keeps an empty object', async () => {
    const { key, bytes } = someObject(0);
    await store().put(key, bytes);
    expect(await read(store(), key)).toEqual({ size: 0, bytes: new Uint8Array() });
    expect(await read(store(), key, { first: 0, last: 9 })).toMatchObject({ size: 0 });
  });

  test('keeps a large object', async () => {
    const { key, bytes } = someObject(LARGE_BYTES);
    await store().put(key, bytes);
    const found = await read(store(), key);
    expect(found?.size).toBe(LARGE_BYTES);
    expect(digestOf(found!.bytes)).toBe(digestOf(bytes));
  });

  test.each([0, 1000, LARGE_BYTES, 2 * LARGE_BYTES])(
    'stores a local file of %i bytes',
    async (size) => {
      const { key, bytes } = someObject(size, { kind: 'archives' });
      await store().putFile(key, localFileOf(bytes));
      const found = await read(store(), key);
      expect(found?.size).toBe(size);
      expect(digestOf(found!.bytes)).toBe(digestOf(bytes));
    },
  );

  test('stores nothing of a file that cannot be read to its end', async () => {
    const { key, bytes } = someObject(LARGE_BYTES, { kind: 'archives' });
    const file = localFileOf(bytes);
    const failing: LocalFile = {
      size: bytes.length,
      read: (range) =>
        range.offset + range.size < bytes.length
          ? file.read(range)
          : Promise.reject(new Error('The disk is broken.')),
    };
    await expect(store().putFile(key, failing)).rejects.toThrow();
    expect(await store().open(key)).toBeNull();
  });

  test('takes a part of a larger buffer, and leaves it to its owner', async () => {
    const around = patterned(3000);
    const { key } = someObject(1000);
    await store().put(key, around.subarray(1000, 2000));
    expect((await read(store(), key))?.bytes).toEqual(patterned(3000).slice(1000, 2000));
    expect(around).toEqual(patterned(3000));
  });

  test('takes many at once', async () => {
    const objects = Array.from({ length: 40 }, (_, index) => someObject(5000 + index));
    await Promise.all(objects.map(({ key, bytes }) => store().put(key, bytes)));
    for (const { key, bytes } of objects) {
      expect((await read(store(), key))?.bytes).toEqual(bytes);
    }
  });

  test('removes objects, also such as are not there', async () => {
    const [first, second, kept, absent] = [10, 20, 30, 40].map((size) => someObject(size));
    for (const { key, bytes } of [first!, second!, kept!]) await store().put(key, bytes);
    await store().remove([first!.key, absent!.key, second!.key]);
    expect(await store().open(first!.key)).toBeNull();
    expect(await store().open(second!.key)).toBeNull();
    expect(await read(store(), kept!.key)).toMatchObject({ size: 30 });
    await store().remove([first!.key]);
    await store().remove([]);
  });

  test('removes an object under its reader, who gets all of it or an error', async () => {
    const { key, bytes } = someObject(LARGE_BYTES);
    await store().put(key, bytes);
    const found = await store().open(key);
    const reader = found!.body.getReader();
    let { value } = await reader.read();
    // Some stores wait until readers have finished.
    const removing = store().remove([key]);
    let size = 0;
    try {
      for (; value !== undefined; { value } = await reader.read()) size += value.length;
      expect(size).toBe(LARGE_BYTES);
    } catch (error) {
      expect(error).toMatchObject({ code: 'store_unavailable' });
    }
    await removing;
    expect(await store().open(key)).toBeNull();
  });

  test('gives a body that may be left unread', async () => {
    const { key, bytes } = someObject(LARGE_BYTES);
    await store().put(key, bytes);
    const unread = await store().open(key);
    await unread!.body.cancel();
    const begun = await store().open(key);
    const reader = begun!.body.getReader();
    const { value } = await reader.read();
    expect(value!.length).toBeGreaterThan(0);
    await reader.cancel();
    expect(await read(store(), key)).toMatchObject({ size: LARGE_BYTES });
  });

  test('says how much space is left, or that it cannot tell', async () => {
    const free = await store().freeBytes();
    if (free !== null) expect(free).toBeGreaterThan(0);
  });
}
