import { expect, test } from '@jest/globals';
import { browserName } from './browser-name.ts';

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36',
    'Chrome, Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
    'Firefox, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1',
    'Safari, iOS',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['x'.repeat(200), 'x'.repeat(40)],
  [null, null],
])('%s is %s', (userAgent, name) => expect(browserName(userAgent)).toBe(name));
