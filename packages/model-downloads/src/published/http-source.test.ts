import { expect, test } from '@jest/globals';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { HttpProxy } from '@sightline/test/support/servers/http-proxy';
import { HttpSource } from './http-source.ts';

test('a proxy that opens no tunnel is named in the failure', async () => {
  await using proxy = await HttpProxy.start();
  proxy.status = 403;
  const proxies = { HTTP_PROXY: '', HTTPS_PROXY: proxy.url, NO_PROXY: '' };
  await using http = new GuardedFetch({ ownEndpoints: () => [], proxies });
  const url = new URL('https://models.example.org/faces.zip');
  const source = new HttpSource(url, { http, reach: 'private' });
  const range = { offset: 0, validator: null };
  await expect(source.open(range, new AbortController().signal)).rejects.toThrow(
    'cannot be reached (the proxy responded with status 403)',
  );
  expect(proxy.asked).toEqual(['models.example.org:443']);
});
