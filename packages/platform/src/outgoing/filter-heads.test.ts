import { expect, test } from '@jest/globals';
import { HeadFilter } from './filter-heads.ts';

const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Passes the text in pieces of the given size. */
function pass(text: string, size: number, filter = new HeadFilter()): string {
  let passed = '';
  for (let at = 0; at < text.length; at += size) {
    passed += filter.pass(Buffer.from(text.slice(at, at + size), 'latin1'))!.toString('latin1');
  }
  return passed;
}

test.each([
  ['', ''],
  ['HTTP/1.1 100 Continue\r\n\r\n', ''],
  ['HTTP/1.1 100\r\n\r\n', ''],
  ['HTTP/1.0 100 Continue\r\nServer: a\r\nDate: b\r\n\r\n', ''],
  ['HTTP/1.1 100 Continue\n\n', ''],
  ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', ''],
  [
    'HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n',
  ],
])('before a response %j becomes %j, in pieces of any size', (interim, left) => {
  for (const size of [1, 2, 7, 11, 13, 1000]) {
    expect(pass(interim + FINAL, size)).toBe(left + FINAL);
  }
});

test.each([
  'SSH-2.0-OpenSSH\r\n',
  'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/2',
])('%j passes unchanged', (text) => {
  for (const size of [1, 5, 1000]) expect(pass(text, size)).toBe(text);
});

test('a response to a later request on the connection is filtered, too', () => {
  const filter = new HeadFilter();
  expect(pass(FINAL, 9, filter)).toBe(FINAL);
  filter.expectResponse();
  expect(pass(`HTTP/1.1 100 Continue\r\n\r\n${FINAL}`, 9, filter)).toBe(FINAL);
});

test('a request that is sent in parts does not end the head of its response', () => {
  const filter = new HeadFilter();
  expect(pass('HTTP/1.1 40', 100, filter)).toBe('');
  filter.expectResponse();
  expect(pass('0 Bad Request\r\n\r\n', 100, filter)).toBe('HTTP/1.1 400 Bad Request\r\n\r\n');
});

test('a head of 32 KiB passes', () => {
  const head = `HTTP/1.1 200 OK\r\na: ${'x'.repeat(32 * 1024 - 24)}\r\n\r\n`;
  for (const size of [100, 100_000]) expect(pass(`${head}body`, size)).toBe(`${head}body`);
});

test.each([
  ['HTTP/1.1 100 Continue\r\n\r\n', ''],
  ['HTTP/1.1 103 Early Hints\r\n\r\n', ''],
  ['a: b\r\n', 'HTTP/1.1 200 OK\r\n'],
  ['x', 'HTTP/1.1 200 OK\r\n'],
])('%j without an end is refused after 32 KiB, in pieces of any size', (part, start) => {
  for (const size of [100, 1000, 1_000_000]) {
    const filter = new HeadFilter();
    const sent = Buffer.from(start + part.repeat(40_000), 'latin1');
    let at = 0;
    while (filter.pass(sent.subarray(at, at + size)) !== null) at += size;
    expect(at).toBeLessThanOrEqual(32 * 1024);
    expect(at + size).toBeGreaterThan(32 * 1024);
  }
});
