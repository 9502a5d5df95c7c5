import { expect, test } from '@jest/globals';
import { toyTokenizer } from '@sightline/test/support/fixtures/toy-packs';
import { FileRefused } from '../onnx/file-refused.ts';
import { readTokenizer } from './read-tokenizer.ts';

const { vocab, merges } = toyTokenizer();
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value));
const apart = readTokenizer({
  json: encoded(vocab),
  merges: Buffer.from(`#version: 0.2\n${merges.join('\n')}\n`),
});
const START = vocab['<|startoftext|>']!;
const END = vocab['<|endoftext|>']!;
const idsOf = (...symbols: string[]) => symbols.map((symbol) => vocab[symbol]!);
const tokens = (text: string, length = 20) => {
  const ids = [...apart.encode(text, length)];
  return ids.slice(1, ids.indexOf(END));
};

test('a text is start, its tokens, end and zeros', () => {
  expect([...apart.encode('red bus', 6)]).toEqual([
    START,
    ...idsOf('red</w>', 'bus</w>'),
    END,
    0,
    0,
  ]);
  expect([...apart.encode('', 4)]).toEqual([START, END, 0, 0]);
  expect([...apart.encode(' ', 4)]).toEqual([START, END, 0, 0]);
});

test('a text that is too long loses its last tokens and keeps the end', () => {
  const ids = [...apart.encode('red '.repeat(100), 5)];
  expect(ids).toEqual([START, ...idsOf('red</w>', 'red</w>', 'red</w>'), END]);
});

test.each([
  ['case and white space', ' Red\t  BUS ', idsOf('red</w>', 'bus</w>')],
  ['an unknown word', 'dog', idsOf('d', 'o', 'g</w>')],
  ['a word that begins like a known one', 'reds', idsOf('re', 'd', 's</w>')],
  ['a contraction', "bus's", idsOf('bus</w>', "'", 's</w>')],
  ['digits one by one', '42', idsOf('4</w>', '2</w>')],
  ['punctuation', 'red, bus!?', idsOf('red</w>', ',</w>', 'bus</w>', '!', '?</w>')],
  ['bytes of other scripts', '犬', idsOf('ç', 'Ĭ', '¬</w>')],
  ['letters that are composed', 'e\u0301', idsOf('Ã', '©</w>')],
  ['names of special tokens are text', '<|endoftext|>', undefined],
])('%s', (_, text, expected) => {
  const found = tokens(text);
  if (expected === undefined) expect(found).toHaveLength(13);
  else expect(found).toEqual(expected);
});

test.each([
  ['pairs as texts', merges],
  ['pairs as lists', merges.map((pair) => pair.split(' '))],
])('one file says the same as two: %s', (_, pairs) => {
  const whole = readTokenizer({ json: encoded({ model: { vocab, merges: pairs } }) });
  expect(whole.encode('a red bus', 20)).toEqual(apart.encode('a red bus', 20));
});

test.each([
  ['no JSON', Buffer.from('{')],
  ['another file', encoded({ model: 1 })],
  ['no end', encoded({ model: { vocab: { ...vocab, '<|endoftext|>': undefined }, merges } })],
  ['a missing byte', encoded({ model: { vocab: { ...vocab, a: undefined }, merges } })],
  ['ids that are no numbers', encoded({ model: { vocab: { ...vocab, a: '1' }, merges } })],
])('refused: %s', (_, json) => {
  expect(() => readTokenizer({ json })).toThrow(FileRefused);
});
