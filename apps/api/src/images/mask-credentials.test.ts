import { expect, test } from '@jest/globals';
import { maskCredentials } from './mask-credentials.ts';

test.each([
  ['http://a.test/b.jpg?sign=c@d', 'http://a.test/b.jpg?sign=c@d'],
  ['http://ann:secret@a.test/b.jpg?c=d', 'http://redacted@a.test/b.jpg?c=d'],
  ['http://:secret@a.test/', 'http://redacted@a.test/'],
  ['https:ann:se@cret@a.test', 'https://redacted@a.test/'],
  ['http://ann:secret@', 'http://redacted@'],
  ['no URL', 'no URL'],
])('%s becomes %s', (url, masked) => {
  expect(maskCredentials(url)).toBe(masked);
});
