import { once } from 'node:events';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Proxies } from '@sightline/platform/outgoing/proxies';
import { HttpProxy } from '@sightline/test/support/servers/http-proxy';
import {
  describeWithCertificates,
  makeCertificate,
} from '@sightline/test/support/servers/test-certificate';
import { S3Buckets } from './s3-buckets.ts';

const LIST = '<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>';

let resources: AsyncDisposableStack;
beforeEach(() => {
  resources = new AsyncDisposableStack();
});
afterEach(() => resources.disposeAsync());

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => void sockets.add(socket.on('error', () => undefined)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  resources.defer(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Lists a bucket of an S3 whose name only a proxy knows. */
function keysOf(origin: string, environment: Record<string, string>): Promise<readonly string[]> {
  const buckets = resources.use(
    new S3Buckets({
      endpoint: new URL(origin),
      bucket: '',
      region: 'us-east-1',
      virtualHosts: true,
      keys: () => ({ accessKey: '', secretKey: '' }),
      proxies: new Proxies(environment),
      silenceMs: 300,
    }),
  );
  return buckets.keys({ bucket: 'models', prefix: '' }, new AbortController().signal);
}

test.each<[string, (socket: Socket) => void, string]>([
  ['does not answer', () => undefined, 'The media store does not answer.'],
  [
    'opens tunnels to nowhere',
    (socket) => void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')),
    'The media store does not answer.',
  ],
  [
    'never ends its answer',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      const timer = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(timer));
    },
    'The media store does not answer.',
  ],
  [
    'refuses',
    (socket) => void socket.once('data', () => socket.end('HTTP/1.1 403 No\r\n\r\n')),
    'The proxy does not connect to the media store.',
  ],
])('a request ends if the proxy %s', async (_, behave, message) => {
  const closed: Promise<unknown>[] = [];
  const port = await listen(
    createServer((socket) => {
      closed.push(new Promise((resolve) => socket.resume().on('close', resolve)));
      behave(socket);
    }),
  );
  const keys = keysOf('https://s3.test', { HTTPS_PROXY: `http://127.0.0.1:${port}` });
  await expect(keys).rejects.toMatchObject({ message });
  // The connection does not outlive the request.
  await Promise.all(closed);
});

test('hosts of NO_PROXY are reached directly, with their subdomains', async () => {
  const proxy = resources.use(await HttpProxy.start());
  const keys = keysOf('https://s3.test', { HTTPS_PROXY: proxy.url, NO_PROXY: 's3.test' });
  await expect(keys).rejects.toThrow('The media store');
  expect(proxy.asked).toEqual([]);
});

describeWithCertificates('over TLS', () => {
  test('objects are listed through a tunnel to the host of the bucket', async () => {
    const certificate = makeCertificate('DNS:models.s3.test');
    const port = await listen(createSecureServer(certificate, (_, response) => response.end(LIST)));
    const proxy = resources.use(await HttpProxy.start());
    const trusted = tls.getCACertificates();
    tls.setDefaultCACertificates([...trusted, certificate.authority]);
    try {
      const keys = await keysOf(`https://s3.test:${port}`, { HTTPS_PROXY: proxy.url });
      expect(keys).toEqual(['a']);
    } finally {
      tls.setDefaultCACertificates(trusted);
    }
    expect(proxy.asked).toEqual([`models.s3.test:${port}`]);
  });
});
