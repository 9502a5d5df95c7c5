import { describe, expect, test } from '@jest/globals';
import { Proxies, readProxies } from './proxies.ts';

const PROXY = 'http://proxy:3128';

test.each([
  [{}, false],
  [{ HTTPS_PROXY: ' ', NO_PROXY: 'a' }, false],
  [{ HTTPS_PROXY: PROXY }, true],
  [{ http_proxy: 'proxy' }, true],
])('the environment %j has proxies: %s', (environment, expected) => {
  expect(readProxies(environment) !== null).toBe(expected);
});

test.each<[string, object, string | null]>([
  ['https://a.test', { HTTPS_PROXY: PROXY }, `${PROXY}/`],
  ['http://a.test', { HTTPS_PROXY: PROXY }, null],
  ['https://a.test', { HTTP_PROXY: PROXY }, null],
  ['http://a.test', { HTTP_PROXY: 'proxy:3128' }, `${PROXY}/`],
  ['https://a.test', { https_proxy: 'https://lower', HTTPS_PROXY: PROXY }, 'https://lower/'],
])('%s with %j', (url, environment, proxy) => {
  expect(new Proxies({ ...environment }).for(new URL(url))).toBe(proxy);
});

describe('NO_PROXY', () => {
  test.each([
    ['example.org', 'https://example.org', true],
    ['example.org', 'https://a.example.org', true],
    ['.example.org', 'https://a.example.org', true],
    ['.example.org', 'https://example.org', true],
    ['*.example.org', 'https://a.b.example.org', true],
    ['Example.ORG.', 'https://a.example.org', true],
    ['example.org', 'https://example.org.', true],
    ['example.org', 'https://badexample.org', false],
    ['example.org', 'https://example.org.test', false],
    ['a, example.org b', 'https://example.org', true],
    ['a, example.org b', 'https://b', true],
    ['example.org:8443', 'https://a.example.org:8443', true],
    ['example.org:8443', 'https://example.org', false],
    ['example.org:443', 'https://example.org', true],
    ['10.0.0.1', 'https://10.0.0.1:9000', true],
    ['0.0.1', 'https://10.0.0.1', false],
    ['::1', 'https://[::1]', true],
    ['[0:0::1]:443', 'https://[::1]', true],
    ['[::1]:9000', 'https://[::1]', false],
    ['a,10.0.0.0/8', 'https://10.1.2.3:9000', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/8', 'https://[::ffff:10.1.2.3]', true],
    ['10.0.0.0/8', 'https://10.example.org', false],
    ['fd00::/8', 'https://[fd12:3456::1]', true],
    ['fd00::/8', 'https://[fe80::1]', false],
    ['10.0.0.0/33', 'https://10.1.2.3', false],
    ['10.0.0.0/', 'https://10.1.2.3', false],
    // Forms that only some programs read are no ranges, and must not stop the process at its start.
    ['10/8,b', 'https://10.1.2.3', false],
    ['10/8,b', 'https://b', true],
    ['192.168/16', 'https://192.168.1.2', false],
    ['010.0.0.0/8', 'https://10.1.2.3', false],
    ['0x0a000000/8', 'https://10.1.2.3', false],
    ['fe80::1%eth0/64', 'https://[fe80::1]', false],
    ['*', 'https://example.org', true],
    [',', 'https://example.org', false],
  ])('%s and %s', (list, url, isDirect) => {
    const proxies = new Proxies({ HTTPS_PROXY: PROXY, NO_PROXY: list });
    expect(proxies.for(new URL(url)) === null).toBe(isDirect);
  });
});

test.each(['socks5://user:secret@proxy', 'http://', 'http://user:secret@'])(
  'the proxy %s is refused without showing it, when it is needed',
  (value) => {
    const proxies = new Proxies({ HTTPS_PROXY: value, NO_PROXY: 'a' });
    expect(() => proxies.for(new URL('https://b'))).toThrow(
      'HTTPS_PROXY has to be the http:// or https:// URL of a proxy',
    );
  },
);
