import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { HttpProxy } from '@sightline/test/support/servers/http-proxy';
import {
  describeWithCertificates,
  makeCertificate,
} from '@sightline/test/support/servers/test-certificate';
import { GuardedFetch } from './guarded-fetch.ts';
import { TargetRefused } from './outgoing-errors.ts';
import { Proxies } from './proxies.ts';
import type { Endpoint, Reach } from './target-guard.ts';

let resources: AsyncDisposableStack;
let proxy: HttpProxy;
let port: number;
let own: Endpoint[];
let fetcher: GuardedFetch;
let lookups: string[];

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  proxy = resources.use(await HttpProxy.start());
  port = await listen(createServer((request, response) => response.end(`at ${request.url}`)));
  own = [];
  lookups = [];
  fetcher = resources.use(
    new GuardedFetch({
      ownEndpoints: () => own,
      resolve: (name) => {
        lookups.push(name);
        return Promise.reject(new Error('Only the proxy knows names.'));
      },
      proxies: new Proxies({
        HTTP_PROXY: proxy.url,
        HTTPS_PROXY: proxy.url,
        NO_PROXY: '127.0.0.1,.direct.test',
      }),
    }),
  );
});
afterEach(() => resources.disposeAsync());

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  resources.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function open(url: string, reach: Reach = 'private'): Promise<string> {
  const { signal } = new AbortController();
  const { body } = await fetcher.open(url, { reach, headers: {}, signal });
  return text(body);
}

test('a proxy gets http requests for names that only it can resolve', async () => {
  const url = `http://models.test:${port}/a?b`;
  expect(await open(url)).toBe('at /a?b');
  expect(proxy.asked).toEqual([url]);
});

test('a request through a proxy has no timeout, because its caller limits its time', async () => {
  const created: object[] = [];
  const note = (message: unknown) => created.push((message as { request: object }).request);
  subscribe('undici:request:create', note);
  try {
    await open(`http://models.test:${port}/`);
  } finally {
    unsubscribe('undici:request:create', note);
  }
  expect(created).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0 }]);
});

test('own endpoints are not looked up for a target whose name only the proxy knows', async () => {
  own = [{ host: 'store.example', port }];
  expect(await open(`http://models.test:${port}/`)).toBe('at /');
  expect(lookups).toEqual([]);
});

test('the proxy for http is not used for https', async () => {
  await using secureOnly = new GuardedFetch({
    ownEndpoints: () => [],
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    proxies: new Proxies({ HTTP_PROXY: proxy.url }),
  });
  const options = { reach: 'private', headers: {}, signal: new AbortController().signal } as const;
  await expect(secureOnly.open(`https://models.test:${port}/`, options)).rejects.toThrow(
    'could not be reached',
  );
  expect(proxy.asked).toEqual([]);
});

describeWithCertificates('over TLS', () => {
  test('a proxy opens a tunnel, and the certificate is checked at its end', async () => {
    const certificate = makeCertificate('DNS:models.test');
    const secure = await listen(
      createSecureServer(certificate, (_, response) => response.end('safe')),
    );
    const trusted = getCACertificates();
    await expect(open(`https://models.test:${secure}/`)).rejects.toThrow('could not be reached');
    setDefaultCACertificates([...trusted, certificate.authority]);
    try {
      expect(await open(`https://models.test:${secure}/`)).toBe('safe');
      await expect(open(`https://other.test:${secure}/`)).rejects.toThrow('could not be reached');
    } finally {
      setDefaultCACertificates(trusted);
    }
    expect(proxy.asked).toContain(`models.test:${secure}`);
  });
});

test('hosts in NO_PROXY are connected directly, and checked as without a proxy', async () => {
  expect(await open(`http://127.0.0.1:${port}/direct`)).toBe('at /direct');
  await expect(open(`http://a.direct.test:${port}/`)).rejects.toThrow('could not be reached');
  await expect(open(`http://127.0.0.1:${port}/`, 'public')).rejects.toThrow(TargetRefused);
  expect(proxy.asked).toEqual([]);
});

test('a proxy is not asked for addresses and endpoints that are not allowed', async () => {
  own = [{ host: 'store.test', port: 5432 }];
  for (const [url, reach] of [
    ['http://169.254.169.254/latest', 'private'],
    ['http://10.0.0.7/model', 'public'],
    ['http://[fd00::7]/model', 'public'],
    ['http://store.test:5432/', 'private'],
    ['http://Store.test.:5432/', 'private'],
  ] as const) {
    await expect(open(url, reach)).rejects.toThrow(TargetRefused);
  }
  expect(proxy.asked).toEqual([]);
});

test('redirects through a proxy are checked like the first URL', async () => {
  const away = await listen(
    createServer((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    ),
  );
  await expect(open(`http://models.test:${away}/`)).rejects.toThrow(TargetRefused);
  expect(proxy.asked).toHaveLength(1);
});

test('URLs of callers never go through a proxy', async () => {
  const limits = {
    environmentId: 1,
    reach: 'private',
    maxBytes: 100,
    timeoutMs: 3_600_000,
  } as const;
  await expect(fetcher.bytes(`http://photos.test:${port}/`, limits)).rejects.toThrow(
    'could not be reached',
  );
  expect(proxy.asked).toEqual([]);
});
