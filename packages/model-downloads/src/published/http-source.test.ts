import { expect, test } from '@jest/globals';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { Proxies } from '@sightline/platform/outgoing/proxies';
import { HttpProxy } from '@sightline/test/support/servers/http-proxy';
import { HttpSource } from './http-source.ts';

test('a proxy that opens no tunnel is named in the failure', async () => {
  await using proxy = await HttpProxy.start();
  proxy.status = 403;
  const proxies = new Proxies({ HTTPS_PROXY: proxy.url });
  await using http = new GuardedFetch({ ownEndpoints: () => [], proxies });
  const url = new URL('https://models.example.org/faces.zip');
  const source = new HttpSource(url, { http, reach: 'private' });
  const range = { offset: 0, validator: null };
  await expect(source.open(range, new AbortController().signal)).rejects.toThrow(
    'cannot be reached (the proxy responded with status 403)',
  );
  expect(proxy.asked).toEqual(['models.example.org:443']);
});

test('an invalid address of a proxy fails the download, with a sentence that does not show it', async () => {
  const proxies = new Proxies({ HTTPS_PROXY: 'socks5://user:secret@proxy' });
  await using http = new GuardedFetch({ ownEndpoints: () => [], proxies });
  const url = new URL('https://models.example.org/faces.zip');
  const source = new HttpSource(url, { http, reach: 'private' });
  const range = { offset: 0, validator: null };
  await expect(source.open(range, new AbortController().signal)).rejects.toThrow(
    'cannot be reached (HTTPS_PROXY has to be the http:// or https:// URL of a proxy)',
  );
});
