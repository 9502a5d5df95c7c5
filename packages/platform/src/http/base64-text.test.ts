import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Base64Text } from './base64-text.ts';

const BYTES = Uint8Array.from([0xfb, 0xff, 0xfe, 0x00, 0x10]);
const OPTIONS = { maxBytes: 1_000_000 };

/** Decodes a text that arrives in parts. Returns null if the text is not base64. */
async function decode(parts: readonly string[]): Promise<Uint8Array | null> {
  const text = new Base64Text(OPTIONS);
  for (const part of parts) text.write(part);
  text.end();
  return text.isValid ? text.read() : null;
}

function charactersOf(text: string): string[] {
  return Array.from(text);
}

/** The expected result of `decode`, computed from the whole text. */
function expected(text: string): Uint8Array | null {
  const digits = text.replace(/^data:image\/\w+;base64,/i, '').replace(/\s+/g, '');
  return /^[\w+/-]*={0,2}$/.test(digits) ? bytesOf(digits.replace(/=+$/, '')) : null;
}

function bytesOf(digits: string): Uint8Array | null {
  return digits.length % 4 === 1 ? null : Uint8Array.from(Buffer.from(digits, 'base64'));
}

describe('an image in base64', () => {
  test.each([
    ['with padding', '+//+ABA='],
    ['without padding', '+//+ABA'],
    ['in the URL-safe alphabet', '-__-ABA='],
    ['with line breaks', '+//+\r\n ABA=\n'],
    ['as a data URI', 'data:image/png;base64,+//+ABA='],
    ['as a data URI without a type', 'data:;base64,+//+ABA='],
    ['as a data URI of another type', 'data:application/octet-stream;base64,+//+ABA='],
    ['as a data URI with blanks', ' data:image/png ; base64 ,+//+ABA='],
    ['as a percent-encoded data URI', 'data:image/png;base64,%2B%2f%2F%2bABA%3D'],
    ['as a partly percent-encoded data URI', 'data:image/png;base64,%2B//+AB%41='],
    ['as a data URI without base64', 'data:image/png,%FB%ff%FE%00%10'],
    ['as a data URI without type and base64', 'data:,%FB%ff%FE%00%10'],
    ['as a data URI with parameters', 'data:IMAGE/svg+xml;a=b;Base64,+//+ABA='],
  ])('is read %s', async (_, text) => {
    expect(await decode([text])).toEqual(BYTES);
    expect(await decode(charactersOf(text))).toEqual(BYTES);
  });

  test('has its own buffer, which can be transferred', async () => {
    const bytes = await decode(['AAAA']);
    expect(bytes!.buffer.byteLength).toBe(3);
  });

  test('may be empty', async () => {
    expect(await decode([''])).toEqual(new Uint8Array(0));
  });

  test.each([
    'AAAA!',
    'A',
    'AAAAA',
    'AA=AAA',
    'data:image/png;base64,AA%3',
    'data:image/png;base64,AA%XXAA',
    'data:image/png;base64,%C3%84AA',
    'data:image/png;base64,\u0141AAA',
    'data:image/png,%FF%',
    'data:image/png,\u0141',
    'AA%2B',
    `data:${'x'.repeat(300)};base64,AAAA`,
    'ÄÖÜß',
    `${String.fromCharCode(0x452b)}A/+`,
    '====',
    `data:image/${'x'.repeat(300)};base64,AAAA`,
  ])('is refused as %j', async (text) => {
    expect(await decode([text])).toBeNull();
    expect(await decode(charactersOf(text))).toBeNull();
  });

  test('does not depend on the boundaries of parts', async () => {
    const character = fc.constantFrom(...charactersOf('AQz09+/-_= \n=ä'));
    const text = fc
      .tuple(fc.constantFrom('', 'data:image/png;base64,'), fc.string({ unit: character }))
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (whole, length) => {
        const parts = whole.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
        expect(await decode(parts)).toEqual(expected(whole));
        expect(await decode([whole])).toEqual(expected(whole));
      }),
      { numRuns: 1000, seed: 11 },
    );
  });

  test('is kept up to its limit, and counted beyond it', () => {
    let kept = 0;
    const reserve = (bytes: number) => (kept += bytes);
    const text = new Base64Text({ maxBytes: 600, reserve });
    for (let i = 0; i < 10; i++) text.write('A'.repeat(400));
    text.end();
    expect([text.isValid, text.size, text.tooLarge]).toEqual([true, 3000, true]);
    expect(kept).toBeLessThanOrEqual(600);
  });

  test('is hashed as text, not as decoded bytes', () => {
    const text = 'data:image/png;base64,+//+\nABA=';
    const digest = Base64Text.of(text, { ...OPTIONS, digests: true }).digest();
    expect(digest).toEqual(createHash('sha256').update(text).digest());
  });
});

test.each([
  ['', true],
  [' '.repeat(300), true],
  [' '.repeat(300) + 'AAAA', false],
  ['AAAA' + ' '.repeat(300), false],
])('%j is blank: %j, in parts of any size', (text, isBlank) => {
  for (const size of [1, 256, 1000]) {
    const base64 = new Base64Text(OPTIONS);
    for (let at = 0; at < text.length; at += size) base64.write(text.slice(at, at + size));
    base64.end();
    expect(base64.isBlank).toBe(isBlank);
  }
});
