import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { createInflate } from './create-inflate.ts';

function inflate(chunks: readonly Buffer[]): Promise<string> {
  return pipeline(Readable.from(chunks), createInflate(), async (decoded: AsyncIterable<Buffer>) =>
    Buffer.concat(await Array.fromAsync(decoded)).toString(),
  );
}

describe.each([
  ['zlib', deflateSync],
  ['plain deflate', deflateRawSync],
])('%s', (_format, encode) => {
  const text = 'abcdefg '.repeat(50_000);

  test.each([0, 1, 9])('of level %i is decoded', async (level) => {
    expect(await inflate([encode(text, { level })])).toBe(text);
  });

  test('is decoded whatever its chunks are', async () => {
    const bytes = encode(text);
    expect(await inflate([...bytes].map((byte) => Buffer.of(byte)))).toBe(text);
  });

  test('that is cut off is an error', async () => {
    await expect(inflate([encode(text).subarray(0, -8)])).rejects.toThrow('unexpected end of file');
  });

  test('ends before bytes that follow it', async () => {
    expect(await inflate([encode('text'), Buffer.alloc(1000), Buffer.alloc(1000)])).toBe('text');
  });

  test('is decoded no faster than it is read', async () => {
    const decoder = createInflate();
    const chunks = decoder[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    decoder.end(encode(Buffer.alloc(50_000_000)));
    const { value } = await chunks.next();
    expect((value as Buffer).length).toBeLessThan(100_000);
    expect(decoder.readableLength).toBeLessThan(100);
    await chunks.return!();
    expect(decoder.destroyed).toBe(true);
  });
});

test('nothing decodes to nothing', async () => {
  expect(await inflate([])).toBe('');
});
