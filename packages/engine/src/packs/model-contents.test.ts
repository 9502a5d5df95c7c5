import { expect, test } from '@jest/globals';
import type { ModelPack } from './manifest.ts';
import { keepContents, keepOnly, type ModelContents } from './model-contents.ts';

function bytes(length: number) {
  return new Uint8Array(new SharedArrayBuffer(length));
}

function packOf(...digests: string[]): ModelPack {
  const components = digests.map((sha256) => ({ sha256 }));
  return { manifest: { components } } as unknown as ModelPack;
}

test('keeps files up to 512 MiB in all, so that a folder of many packs does not fill the memory', () => {
  const contents: ModelContents = new Map();
  keepContents(contents, { sha256: 'a', bytes: bytes(400 * 1024 * 1024) });
  keepContents(contents, { sha256: 'b', bytes: bytes(113 * 1024 * 1024) });
  keepContents(contents, { sha256: 'c', bytes: bytes(112 * 1024 * 1024) });
  expect([...contents.keys()]).toEqual(['a', 'c']);
});

test('drops what none of the packs has', () => {
  const contents: ModelContents = new Map();
  for (const sha256 of ['a', 'b', 'c']) keepContents(contents, { sha256, bytes: bytes(1) });
  keepOnly(contents, [packOf('a', 'z'), null, packOf('c')]);
  expect([...contents.keys()]).toEqual(['a', 'c']);
});

test('is cloned without a copy of the bytes', () => {
  const contents: ModelContents = new Map([['a', bytes(1)]]);
  const clone = structuredClone(contents);
  contents.get('a')![0] = 7;
  expect(clone.get('a')![0]).toBe(7);
});
