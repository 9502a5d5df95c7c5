import { expect, test } from '@jest/globals';
import { KeptPhrases } from './phrase-embedder.ts';

function counted() {
  const asked: string[][] = [];
  const encode = (texts: readonly string[]) => {
    asked.push([...texts]);
    return Promise.resolve(texts.map((text) => Float32Array.of(text.length)));
  };
  return { asked, encoder: { encode } };
}

test('a phrase is embedded once, in whatever order it is asked for', async () => {
  const { asked, encoder } = counted();
  const kept = new KeptPhrases(encoder);
  expect(await kept.embed(['a', 'bb', 'a'])).toEqual([1, 2, 1].map((n) => Float32Array.of(n)));
  expect(await kept.embed(['bb', 'ccc'])).toEqual([2, 3].map((n) => Float32Array.of(n)));
  expect(asked).toEqual([['a', 'bb'], ['ccc']]);
});

test('those that were asked for last are kept, and a longer vocabulary is answered whole', async () => {
  const { asked, encoder } = counted();
  const kept = new KeptPhrases(encoder, 2);
  await kept.embed(['a', 'b']);
  await kept.embed(['a']);
  await kept.embed(['c']);
  await kept.embed(['a']);
  expect(await kept.embed(['b', 'c', 'd'])).toHaveLength(3);
  expect(asked).toEqual([['a', 'b'], ['c'], ['b', 'd']]);
});
