import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { boundsOf, type ByteRange } from '@sightline/core/media/byte-range';
import { type MediaKind, mediaKey } from '@sightline/core/media/media-key';
import type { MediaEntry, MediaStore } from '@sightline/core/media/media-store';

export interface OpenMediaStore extends AsyncDisposable {
  readonly store: MediaStore;
}

const LARGE_BYTES = 12 * 1024 * 1024;
/** More than two pages of the stores that have pages. */
const MANY = 2_100;

/**
 * What every adapter of the MediaStore port keeps to. The store that `open` gives may hold other
 * objects: each test keeps to an environment of its own.
 */
export function describeMediaStore(name: string, open: () => Promise<OpenMediaStore>): void {
  describe(`${name} as a media store`, () => {
    let opened: OpenMediaStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    describeObjects(() => opened.store);
    describeRanges(() => opened.store);
    describeLists(() => opened.store);
    describeAborts(() => opened.store);
    describeRefusals(() => opened.store);
  });
}

type Store = () => MediaStore;

function describeObjects(store: Store): void {
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
    // Some stores wait for those who read.
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

function describeRanges(store: Store): void {
  describe('a range', () => {
    const { key, bytes } = someObject(300_000);
    beforeAll(() => store().put(key, bytes));

    test.each<[string, ByteRange]>([
      ['the first byte', { first: 0, last: 0 }],
      ['some in the middle', { first: 100_000, last: 250_000 }],
      ['the last byte', { first: 299_999, last: 299_999 }],
      ['everything', { first: 0, last: 299_999 }],
      ['more than there is', { first: 299_000, last: 400_000 }],
      ['what lies behind the end', { first: 300_000, last: 300_009 }],
      ['all from a byte on', { first: 299_000 }],
      ['all from a byte behind the end on', { first: 300_001 }],
      ['the last bytes', { lastBytes: 1_000 }],
      ['more last bytes than there are', { lastBytes: 400_000 }],
      ['no last bytes', { lastBytes: 0 }],
    ])('of %s', async (_, range) => {
      const { start, end } = boundsOf(range, bytes.length);
      const expected = bytes.slice(start, end);
      expect(await read(store(), key, range)).toEqual({ size: 300_000, bytes: expected });
    });

    test.each([
      { first: -1, last: 5 },
      { first: 6, last: 5 },
      { first: 0.5, last: 5 },
      { first: 0, last: NaN },
      { lastBytes: -1 },
    ])('of %j is refused', async (range) => {
      await expect(store().open(key, range)).rejects.toMatchObject({ name: 'RangeError' });
    });
  });
}

function describeLists(store: Store): void {
  test('lists by prefix, each object once, with its size and time', async () => {
    const environmentId = someEnvironment();
    const before = Date.now();
    const objects = Array.from({ length: 25 }, (_, index) =>
      someObject(100 + index, { environmentId, kind: index % 2 ? 'crops' : 'sources' }),
    );
    for (const { key, bytes } of objects) await store().put(key, bytes);
    const all = await list(store(), `${environmentId}/`);
    expect(all.map(({ key }) => key).sort()).toEqual(objects.map(({ key }) => key).sort());
    for (const { key, size, modifiedAt } of all) {
      expect(size).toBe(objects.find((object) => object.key === key)!.bytes.length);
      // Clocks of stores may differ, and some count whole seconds.
      expect(Math.abs(modifiedAt.getTime() - before)).toBeLessThan(60_000);
    }
    const crops = await list(store(), `${environmentId}/crops/`);
    expect(crops).toHaveLength(12);
    expect(crops.every(({ key }) => key.includes('/crops/'))).toBe(true);
    const { key } = objects[3]!;
    expect((await list(store(), key)).map((entry) => entry.key)).toEqual([key]);
    expect(await list(store(), key.slice(0, -1))).toHaveLength(1);
  });

  test('lists and removes thousands', async () => {
    const environmentId = someEnvironment();
    const { bytes } = someObject(3);
    const keys = Array.from({ length: MANY }, () => someObject(3, { environmentId }).key);
    for (let at = 0; at < MANY; at += 50) {
      await Promise.all(keys.slice(at, at + 50).map((key) => store().put(key, bytes)));
    }
    const listed = await list(store(), `${environmentId}/`);
    expect(listed.map(({ key }) => key).sort()).toEqual(keys.toSorted());
    await store().remove(keys.slice(1));
    expect(await list(store(), `${environmentId}/`)).toEqual([
      expect.objectContaining({ key: keys[0], size: 3 }),
    ]);
  }, 120_000);

  test('takes a prefix as text, not as a folder', async () => {
    const environmentId = someEnvironment();
    const longer = Number(`${environmentId}1`);
    for (const id of [environmentId, longer]) {
      const { key, bytes } = someObject(5, { environmentId: id });
      await store().put(key, bytes);
    }
    expect(await list(store(), `${environmentId}/`)).toHaveLength(1);
    expect(await list(store(), `${environmentId}`)).toHaveLength(2);
    const everything = await list(store(), '');
    expect(everything.filter(({ key }) => key.startsWith(`${environmentId}`))).toHaveLength(2);
  });

  test.each(['../', '/', '//', '0/nothing/', 'x'])(
    'has nothing below the prefix %j',
    async (prefix) => {
      expect(await list(store(), prefix)).toEqual([]);
    },
  );

  test('leaves out what was removed', async () => {
    const environmentId = someEnvironment();
    const { key, bytes } = someObject(5, { environmentId });
    await store().put(key, bytes);
    await store().remove([key]);
    expect(await list(store(), `${environmentId}/`)).toEqual([]);
  });

  test('may be left before its end', async () => {
    const environmentId = someEnvironment();
    for (let index = 0; index < 5; index++) {
      const { key, bytes } = someObject(5, { environmentId });
      await store().put(key, bytes);
    }
    let seen = 0;
    for await (const { size } of store().list(`${environmentId}/`)) {
      seen += size;
      if (seen >= 10) break;
    }
    expect(seen).toBe(10);
  });

  test('shows an object in the making neither in lists nor for reading', async () => {
    const environmentId = someEnvironment();
    const { key, bytes } = someObject(LARGE_BYTES, { environmentId });
    const put = { done: false };
    const putting = store()
      .put(key, bytes)
      .then(() => (put.done = true));
    while (!put.done) {
      // Either is the whole object or nothing, whenever it is asked for.
      const listed = await list(store(), `${environmentId}/`);
      expect([undefined, LARGE_BYTES]).toContain(listed[0]?.size);
      const found = await store().open(key);
      expect([undefined, LARGE_BYTES]).toContain(found?.size);
      await found?.body.cancel();
    }
    await putting;
    expect(await list(store(), `${environmentId}/`)).toHaveLength(1);
  });
}

function describeAborts(store: Store): void {
  describe('an abort', () => {
    const reason = new Error('the caller left');
    const aborted = AbortSignal.abort(reason);

    test('before the call is the answer, and nothing is done', async () => {
      const { key, bytes } = someObject(5);
      await expect(store().put(key, bytes, aborted)).rejects.toBe(reason);
      expect(await store().open(key)).toBeNull();
      await store().put(key, bytes);
      await expect(store().open(key, undefined, aborted)).rejects.toBe(reason);
      await expect(store().remove([key], aborted)).rejects.toBe(reason);
      await expect(store().freeBytes(aborted)).rejects.toBe(reason);
      await expect(list(store(), key, aborted)).rejects.toBe(reason);
      expect(await read(store(), key)).toMatchObject({ size: 5 });
    });

    test.each([0, 1, 5, 20, 60])(
      'of a put after %i ms leaves the whole object or none',
      async (milliseconds) => {
        const environmentId = someEnvironment();
        const { key, bytes } = someObject(LARGE_BYTES, { environmentId });
        const controller = new AbortController();
        setTimeout(() => controller.abort(reason), milliseconds);
        const outcome = await store()
          .put(key, bytes, controller.signal)
          .then(
            () => 'put',
            (error: unknown) => error,
          );
        expect(['put', reason]).toContain(outcome);
        const left = await list(store(), `${environmentId}/`);
        expect(left.map(({ size }) => size)).toEqual(outcome === 'put' ? [LARGE_BYTES] : []);
      },
    );

    test('while a body is read is what the reading fails with', async () => {
      const { key, bytes } = someObject(LARGE_BYTES);
      await store().put(key, bytes);
      const controller = new AbortController();
      const found = await store().open(key, undefined, controller.signal);
      const reader = found!.body.getReader();
      await reader.read();
      controller.abort(reason);
      const rest = async () => {
        while (!(await reader.read()).done);
      };
      await expect(rest()).rejects.toBe(reason);
    });

    test('ends a list', async () => {
      const environmentId = someEnvironment();
      for (let index = 0; index < 3; index++) {
        const { key, bytes } = someObject(5, { environmentId });
        await store().put(key, bytes);
      }
      const controller = new AbortController();
      const abortAtOnce = async () => {
        for await (const { size } of store().list(`${environmentId}/`, controller.signal)) {
          controller.abort(reason);
          expect(size).toBe(5);
        }
      };
      await expect(abortAtOnce()).rejects.toBe(reason);
    });
  });
}

function describeRefusals(store: Store): void {
  test.each([
    '',
    '../../secret',
    '/etc/passwd',
    '1/sources/../../x',
    '1\\sources\\x',
    '1/sources/ab\0.jpg',
    '1/sources/ab/photo.jpg',
  ])('refuses the key %j', async (key) => {
    const refusal = { name: 'RangeError', message: expect.not.stringContaining('/') };
    await expect(store().put(key, patterned(1))).rejects.toMatchObject(refusal);
    await expect(store().open(key)).rejects.toMatchObject(refusal);
    await expect(store().remove([key])).rejects.toMatchObject(refusal);
  });

  test('removes nothing if one of the keys is bad', async () => {
    const { key, bytes } = someObject(5);
    await store().put(key, bytes);
    await expect(store().remove([key, '..'])).rejects.toMatchObject({ name: 'RangeError' });
    expect(await read(store(), key)).toMatchObject({ size: 5 });
  });
}

/** Environments that no other test, nor another run against the same store, uses. */
let lastEnvironment = Date.now() * 1000;

function someEnvironment(): number {
  return ++lastEnvironment;
}

interface Place {
  readonly environmentId: number;
  readonly kind: MediaKind;
}

function someObject(
  size: number,
  { environmentId = someEnvironment(), kind = 'sources' }: Partial<Place> = {},
): { readonly key: string; readonly bytes: Uint8Array } {
  const bytes = patterned(size);
  return {
    key: mediaKey(environmentId, kind, { digest: digestOf(bytes), extension: 'jpg' }),
    bytes,
  };
}

/** Bytes that tell where they stood. */
function patterned(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 8) * 7) & 255;
  return bytes;
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function read(
  store: MediaStore,
  key: string,
  range?: ByteRange,
): Promise<{ readonly size: number; readonly bytes: Uint8Array } | null> {
  const found = await store.open(key, range);
  if (found === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of found.body) chunks.push(chunk);
  return { size: found.size, bytes: new Uint8Array(Buffer.concat(chunks)) };
}

function list(store: MediaStore, prefix: string, signal?: AbortSignal): Promise<MediaEntry[]> {
  return Array.fromAsync(store.list(prefix, signal));
}
