import { expect, test } from '@jest/globals';
import { IdStream } from './id-stream.ts';

async function* pages(...all: readonly (readonly number[])[]): AsyncGenerator<readonly number[]> {
  for (const page of all) yield await Promise.resolve(page);
}

test.each([
  { read: [[]], ids: [] },
  { read: [[3, 1], [], [2]], ids: [3, 1, 2] },
])('sends $ids as the only member', async ({ read, ids }) => {
  const chunks = await Array.fromAsync(new IdStream(pages(...read)).json());
  expect(JSON.parse(chunks.join(''))).toEqual({ ids });
});
