import { expect, test } from '@jest/globals';
import { localUrlOf, urlOf } from './bound-address.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['::1', 'http://[::1]:8080', 'http://[::1]:8080'],
  ['0.0.0.0', 'http://0.0.0.0:8080', 'http://localhost:8080'],
  ['::', 'http://[::]:8080', 'http://localhost:8080'],
])('%s has the URL %s, and %s for clients on this machine', (host, url, localUrl) => {
  expect(urlOf({ host, port: 8080 })).toBe(url);
  expect(localUrlOf({ host, port: 8080 })).toBe(localUrl);
});
