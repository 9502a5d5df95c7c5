import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { framingOf } from './body-framing.ts';

const chunk = (size: number, extension: string): string =>
  `${size.toString(16)}${extension}\r\n${'\n'.repeat(size)}\r\n`;
const NAMED = ['', ';a=b', ' ; long="extension 5"'];
const chunked = fc
  .record({
    chunks: fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(...NAMED))),
    last: fc.constantFrom('0', '000', '0;a'),
    trailers: fc.array(fc.constantFrom('Digest: x\r\n', 'A:\r\n')),
  })
  .map(({ chunks, last, trailers }) =>
    [
      ...chunks.map(([size, extension]) => chunk(size, extension)),
      `${last}\r\n`,
      ...trailers,
      '\r\n',
    ].join(''),
  );
const body = fc.oneof(
  fc
    .string()
    .map((text) => ({ text, headers: { 'content-length': `${Buffer.byteLength(text)}` } })),
  chunked.map((text) => ({ text, headers: { 'transfer-encoding': 'chunked' } })),
);

test('a body ends at the same byte, in whatever parts it arrives', () => {
  fc.assert(
    fc.property(
      body,
      fc.string(),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
      (sent, next, parts) => {
        const framing = framingOf({ headers: sent.headers });
        const [bytes, end] = [Buffer.from(sent.text + next), Buffer.byteLength(sent.text)];
        let [at, parsed] = [0, 0];
        while (!framing.isComplete) {
          const part = bytes.subarray(at, at + parts[parsed++ % parts.length]!);
          expect(part.length).toBeGreaterThan(0);
          at += framing.take(part);
        }
        expect(at).toBe(end);
        expect(framing.take(bytes.subarray(at))).toBe(0);
      },
    ),
  );
});

test('a request without a length has no body', () => {
  expect(framingOf({ headers: {} }).isComplete).toBe(true);
});
