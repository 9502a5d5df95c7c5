import { expect, jest, test } from '@jest/globals';
import { LARGE_BYTES, list, someEnvironment, someObject, type OpenedStore } from './some-object.ts';

/** More objects than two pages of the stores that list in pages. */
const MANY = 2_100;
/**
 * How far the test shifts the clock of the client, in ms. S3 servers refuse requests whose date differs by more than
 * 15 minutes.
 */
const SHIFT_MS = 10 * 60_000;
/**
 * The largest difference of ages that counts as equal, in ms: longer than any test takes, but less than the shift.
 */
const AGE_LIMIT_MS = 5 * 60_000;
const ALL_BUT_DATE = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

export function describeLists(store: OpenedStore): void {
  test('lists by prefix, each object once, with its size and age', async () => {
    const environmentId = someEnvironment();
    const objects = Array.from({ length: 25 }, (_, index) =>
      someObject(100 + index, { environmentId, kind: index % 2 ? 'crops' : 'sources' }),
    );
    for (const { key, bytes } of objects) await store().put(key, bytes);
    const all = await list(store(), `${environmentId}/`);
    expect(all.map(({ key }) => key).sort()).toEqual(objects.map(({ key }) => key).sort());
    for (const { key, size, ageMs } of all) {
      expect(size).toBe(objects.find((object) => object.key === key)!.bytes.length);
      expect(ageMs).toBeGreaterThanOrEqual(0);
      expect(ageMs).toBeLessThan(AGE_LIMIT_MS);
    }
    const crops = await list(store(), `${environmentId}/crops/`);
    expect(crops).toHaveLength(12);
    expect(crops.every(({ key }) => key.includes('/crops/'))).toBe(true);
    const { key } = objects[3]!;
    expect((await list(store(), key)).map((entry) => entry.key)).toEqual([key]);
    expect(await list(store(), key.slice(0, -1))).toHaveLength(1);
  });

  test.each([-SHIFT_MS, SHIFT_MS])(
    'ages are by its own clock, not by a date %d ms off',
    async (shift) => {
      const environmentId = someEnvironment();
      const { key, bytes } = someObject(5, { environmentId });
      await store().put(key, bytes);
      const before = (await list(store(), `${environmentId}/`))[0]!.ageMs;
      jest.useFakeTimers({ now: Date.now() + shift, doNotFake: [...ALL_BUT_DATE] });
      try {
        const after = (await list(store(), `${environmentId}/`))[0]!.ageMs;
        expect(Math.abs(after - before)).toBeLessThan(AGE_LIMIT_MS);
      } finally {
        jest.useRealTimers();
      }
    },
  );

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
  });

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
      // A list shows the whole object or nothing.
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
