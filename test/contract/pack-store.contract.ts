import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LocalFile } from '@sightline/core/media/local-file';
import type { PackStore } from '@sightline/core/models/pack-store';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { LARGE_BYTES, patterned } from './media-store/some-object.ts';

export interface OpenPackStore extends AsyncDisposable {
  readonly store: PackStore;
}

/** The contract of all adapters of the PackStore port. The store may hold other packs. */
export function describePackStore(name: string, open: () => Promise<OpenPackStore>): void {
  describe(`${name} as a store of packs`, () => {
    let opened: OpenPackStore;
    const store = (): PackStore => opened.store;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    test.each([0, 70_000, LARGE_BYTES])('gives back a file of %i bytes', async (size) => {
      const { sha256, bytes } = someFile(size);
      expect(await store().hasFile(sha256)).toBe(false);
      expect(await store().openFile(sha256)).toBeNull();
      await store().putFile(sha256, localFileOf(bytes));
      expect(await store().hasFile(sha256)).toBe(true);
      expect(await read(store(), sha256)).toEqual({ size, sha256 });
    });

    test('replaces a file, such as one that was damaged', async () => {
      const { sha256, bytes } = someFile(1000);
      await store().putFile(sha256, localFileOf(bytes.toReversed()));
      await store().putFile(sha256, localFileOf(bytes));
      expect(await read(store(), sha256)).toEqual({ size: 1000, sha256 });
    });

    test.each([1000, LARGE_BYTES])(
      'keeps what was there if %i bytes cannot be read to their end',
      async (size) => {
        const { sha256, bytes } = someFile(size);
        const failing: LocalFile = {
          size,
          read: ({ offset, size: length }) =>
            offset + length < size
              ? Promise.resolve(bytes.slice(offset, offset + length))
              : Promise.reject(new Error('The disk is broken.')),
        };
        await expect(store().putFile(sha256, failing)).rejects.toThrow('The disk is broken.');
        expect(await store().hasFile(sha256)).toBe(false);
        await store().putFile(sha256, localFileOf(bytes));
        await expect(store().putFile(sha256, failing)).rejects.toThrow('The disk is broken.');
        expect(await read(store(), sha256)).toEqual({ size, sha256 });
      },
    );

    test('gives back a manifest, and lists its revision', async () => {
      const { sha256: revision } = someFile(20);
      expect(await store().readManifest(revision)).toBeNull();
      expect(await list(store())).not.toContain(revision);
      await store().putManifest(revision, '{"name": "Gesichter, grün"}\n');
      await store().putManifest(revision, '{"name": "Gesichter, blau"}\n');
      expect(await store().readManifest(revision)).toBe('{"name": "Gesichter, blau"}\n');
      expect((await list(store())).filter((each) => each === revision)).toHaveLength(1);
    });

    test('tells how old everything is, and removes one without the other', async () => {
      const { sha256, bytes } = someFile(100);
      await store().putFile(sha256, localFileOf(bytes));
      await store().putManifest(sha256, '{}');
      for (const kind of ['files', 'manifests'] as const) {
        const found = await Array.fromAsync(store().entries(kind));
        const mine = found.filter(({ digest }) => digest === sha256);
        expect(mine).toEqual([{ digest: sha256, ageMs: expect.any(Number) }]);
        expect(mine[0]!.ageMs).toBeGreaterThanOrEqual(0);
        expect(mine[0]!.ageMs).toBeLessThan(60_000);
        expect(await store().ageOf(kind, sha256)).toBeGreaterThanOrEqual(0);
        expect(await store().ageOf(kind, sha256)).toBeLessThan(60_000);
      }
      await store().remove('files', sha256);
      expect(await store().hasFile(sha256)).toBe(false);
      expect(await store().readManifest(sha256)).toBe('{}');
      await store().remove('manifests', sha256);
      await store().remove('manifests', sha256);
      expect(await list(store())).not.toContain(sha256);
      expect(await store().ageOf('files', sha256)).toBeNull();
      expect(await store().ageOf('manifests', sha256)).toBeNull();
    });

    test('does not read a manifest that is too long to be one', async () => {
      const { sha256: revision } = someFile(20);
      await store().putManifest(revision, ' '.repeat(1024 ** 2 + 1));
      await expect(store().readManifest(revision)).rejects.toMatchObject({
        code: 'store_unavailable',
      });
    });

    test.each(['', 'abc', '../'.repeat(22).slice(0, 64), 'A'.repeat(64), `${'a'.repeat(64)}\n`])(
      'takes no file or manifest by the name %j',
      async (name) => {
        const file = localFileOf(new Uint8Array(1));
        for (const call of [
          () => store().hasFile(name),
          () => store().putFile(name, file),
          () => store().openFile(name),
          () => store().putManifest(name, '{}'),
          () => store().readManifest(name),
          () => store().ageOf('files', name),
          () => store().remove('files', name),
          () => store().remove('manifests', name),
        ]) {
          await expect(call()).rejects.toThrow(RangeError);
        }
      },
    );

    test('does nothing after an abort', async () => {
      const reason = new Error('the caller left');
      const aborted = AbortSignal.abort(reason);
      const { sha256, bytes } = someFile(10);
      for (const call of [
        () => store().hasFile(sha256, aborted),
        () => store().putFile(sha256, localFileOf(bytes), aborted),
        () => store().openFile(sha256, aborted),
        () => store().putManifest(sha256, '{}', aborted),
        () => store().readManifest(sha256, aborted),
        () => Array.fromAsync(store().list(aborted)),
        () => store().ageOf('files', sha256, aborted),
        () => store().remove('files', sha256, aborted),
      ]) {
        await expect(call()).rejects.toBe(reason);
      }
      expect(await store().hasFile(sha256)).toBe(false);
      expect(await store().readManifest(sha256)).toBeNull();
    });

    test.each([0, 5, 60])('aborted after %i ms stores a whole file or none', async (ms) => {
      const { sha256, bytes } = someFile(LARGE_BYTES);
      const reason = new Error('the caller left');
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), ms);
      const outcome = await store()
        .putFile(sha256, localFileOf(bytes), controller.signal)
        .catch((error: unknown) => error);
      expect([undefined, reason]).toContain(outcome);
      const left = await read(store(), sha256);
      expect(left).toEqual(outcome === undefined ? { size: LARGE_BYTES, sha256 } : null);
    });

    test('fails a body that is read with the reason of the abort', async () => {
      const { sha256, bytes } = someFile(LARGE_BYTES);
      await store().putFile(sha256, localFileOf(bytes));
      const reason = new Error('the caller left');
      const controller = new AbortController();
      const found = await store().openFile(sha256, controller.signal);
      const reader = found!.body.getReader();
      await reader.read();
      controller.abort(reason);
      const rest = async () => {
        while (!(await reader.read()).done);
      };
      await expect(rest()).rejects.toBe(reason);
    });
  });
}

let files = Date.now();

/** Bytes that no other test or run against the same store uses. */
function someFile(size: number): { readonly sha256: string; readonly bytes: Uint8Array } {
  const bytes = patterned(size);
  const stamp = Buffer.from(String(++files));
  bytes.set(stamp.subarray(0, size));
  // All empty files have the same digest, so an empty file gets a made-up digest as its name.
  return { sha256: digestOf(size === 0 ? stamp : bytes), bytes };
}

async function read(store: PackStore, sha256: string) {
  const found = await store.openFile(sha256);
  if (found === null) return null;
  const bytes = Buffer.concat(await Array.fromAsync(found.body));
  expect(bytes).toHaveLength(found.size);
  return { size: found.size, sha256: found.size === 0 ? sha256 : digestOf(bytes) };
}

function list(store: PackStore): Promise<string[]> {
  return Array.fromAsync(store.list());
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
