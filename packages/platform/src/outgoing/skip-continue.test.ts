import { expect, test } from '@jest/globals';
import { ContinueFilter } from './skip-continue.ts';

const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Passes the text in pieces of the given size. */
function pass(text: string, size: number, filter = new ContinueFilter()): string {
  let passed = '';
  for (let at = 0; at < text.length; at += size) {
    passed += filter.pass(Buffer.from(text.slice(at, at + size), 'latin1')).toString('latin1');
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
  const filter = new ContinueFilter();
  expect(pass(FINAL, 9, filter)).toBe(FINAL);
  filter.expectResponse();
  expect(pass(`HTTP/1.1 100 Continue\r\n\r\n${FINAL}`, 9, filter)).toBe(FINAL);
});

test('a head without an end does not wait forever', () => {
  expect(pass(`HTTP/1.1 100 ${'x'.repeat(20_000)}`, 1000)).toHaveLength(20_013);
});

test('a stream of 10,000 interim responses reaches undici after at most 16 KiB, in pieces of any size', () => {
  const head = 'HTTP/1.1 100 Continue\r\n\r\n';
  const sent = head.repeat(10_000);
  for (const size of [1, 1000, sent.length]) {
    const passed = pass(sent, size);
    expect(sent.length - passed.length).toBe(head.length * Math.floor((16 * 1024) / head.length));
  }
});
