import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { expect, test } from '@jest/globals';
import { mediaKey } from '@sightline/core/media/media-key';
import {
  describeWithCertificates,
  makeCertificate,
} from '@sightline/test/support/servers/test-certificate';
import { S3MediaStore } from './s3-media-store.ts';

describeWithCertificates('over TLS', () => {
  const keys = () => ({ accessKey: 'a-user', secretKey: 'hidden' });

  test('nothing is sent to an untrusted server; a trusted one gets a checked body', async () => {
    const certificate = makeCertificate('IP:127.0.0.1');
    const requests: IncomingMessage[] = [];
    const server = createServer(certificate, (request, answer) => {
      requests.push(request);
      request.resume();
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    using store = new S3MediaStore({
      endpoint: new URL(`https://127.0.0.1:${port}`),
      bucket: 'sightline',
      region: 'us-east-1',
      keys,
    });
    const key = mediaKey(1, 'crops', { digest: '0f'.repeat(32), extension: 'jpg' });
    const trusted = tls.getCACertificates();
    try {
      await expect(store.put(key, new Uint8Array(10))).rejects.toMatchObject({
        code: 'store_unavailable',
        message: "The media store's certificate is not trusted.",
      });
      expect(requests).toHaveLength(0);
      tls.setDefaultCACertificates([...trusted, certificate.authority]);
      await store.put(key, new Uint8Array(10));
      expect(requests[0]!.headers).toMatchObject({ 'content-md5': expect.any(String) });
    } finally {
      tls.setDefaultCACertificates(trusted);
      server.closeAllConnections();
      server.close();
    }
  });
});
