import { describe, expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import {
  LARGE_BYTES,
  list,
  read,
  someEnvironment,
  someObject,
  type OpenedStore,
} from './some-object.ts';

export function describeAborts(store: OpenedStore): void {
  describe('an abort', () => {
    const reason = new Error('the caller left');
    const aborted = AbortSignal.abort(reason);

    test('before the call is the answer, and nothing is done', async () => {
      const { key, bytes } = someObject(5);
      await expect(store().put(key, bytes, aborted)).rejects.toBe(reason);
      await expect(store().putFile(key, localFileOf(bytes), aborted)).rejects.toBe(reason);
      expect(await store().open(key)).toBeNull();
      await store().put(key, bytes);
      await expect(store().open(key, undefined, aborted)).rejects.toBe(reason);
      await expect(store().remove([key], aborted)).rejects.toBe(reason);
      await expect(store().freeBytes(aborted)).rejects.toBe(reason);
      await expect(list(store(), key, aborted)).rejects.toBe(reason);
      expect(await read(store(), key)).toMatchObject({ size: 5 });
    });

    test.each([
      ...[0, 1, 5, 20, 60].map((milliseconds) => ({ method: 'put' as const, milliseconds })),
      ...[0, 5, 60].map((milliseconds) => ({ method: 'putFile' as const, milliseconds })),
    ])(
      'of a $method after $milliseconds ms leaves the whole object or none',
      async ({ method, milliseconds }) => {
        const environmentId = someEnvironment();
        const { key, bytes } = someObject(LARGE_BYTES, { environmentId });
        const controller = new AbortController();
        const { signal } = controller;
        setTimeout(() => controller.abort(reason), milliseconds);
        const put =
          method === 'put'
            ? store().put(key, bytes, signal)
            : store().putFile(key, localFileOf(bytes), signal);
        const outcome = await put.then(
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
