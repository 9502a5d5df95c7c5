import { describe, expect, test } from '@jest/globals';
import { decodeBase64 } from './decode-base64.ts';

const BYTES = Uint8Array.from([0xfb, 0xff, 0xfe, 0x00, 0x10]);

describe('decodeBase64', () => {
  test.each([
    ['with padding', '+//+ABA='],
    ['without padding', '+//+ABA'],
    ['in the URL-safe alphabet', '-__-ABA='],
    ['with line breaks', '+//+\r\n ABA=\n'],
  ])('reads text %s', (_, text) => {
    expect(decodeBase64(text)).toEqual(BYTES);
  });

  test('gives a buffer of its own, which can be transferred', () => {
    const bytes = decodeBase64('AAAA')!;
    expect(bytes.buffer.byteLength).toBe(3);
  });

  test('reads an empty text as no bytes', () => {
    expect(decodeBase64('')).toEqual(new Uint8Array(0));
  });

  test.each(['AAAA!', 'A', 'AAAAA', 'AA=AAA', 'data:image/png;base64,AAAA', 'ÄÖÜß', '===='])(
    'refuses %j',
    (text) => {
      expect(decodeBase64(text)).toBeNull();
    },
  );

  test('reads every length back', () => {
    for (let length = 0; length < 40; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) % 256);
      expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
    }
  });
});
