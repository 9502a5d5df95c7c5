import { expect, test } from '@jest/globals';
import { readProxies } from './proxies.ts';

test.each<[object, object | null]>([
  [{}, null],
  [{ HTTPS_PROXY: '', NO_PROXY: 'a' }, null],
  [
    { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'a, .b' },
    { HTTP_PROXY: '', HTTPS_PROXY: 'http://proxy:3128/', NO_PROXY: 'a, .b' },
  ],
  [
    { HTTP_PROXY: 'proxy:3128' },
    { HTTP_PROXY: 'http://proxy:3128/', HTTPS_PROXY: '', NO_PROXY: '' },
  ],
  [
    { https_proxy: 'https://lower', HTTPS_PROXY: 'http://upper' },
    { HTTP_PROXY: '', HTTPS_PROXY: 'https://lower/', NO_PROXY: '' },
  ],
])('the proxies of %j', (environment, proxies) => {
  expect(readProxies({ ...environment })).toEqual(proxies);
});

test.each(['socks5://user:secret@proxy', 'http://', 'http://user:secret@'])(
  'the proxy %s is refused without showing it',
  (value) => {
    expect(() => readProxies({ HTTPS_PROXY: value })).toThrow(
      'HTTPS_PROXY has to be the http:// or https:// URL of a proxy.',
    );
  },
);
