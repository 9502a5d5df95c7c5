import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { expect, test } from '@jest/globals';
import type { Logger } from '@sightline/platform/logging/logger';
import {
  describeWithCertificates,
  makeCertificate,
} from '@sightline/test/support/servers/test-certificate';
import { QdrantVectorIndex } from './qdrant-vector-index.ts';

describeWithCertificates('a Qdrant over TLS', () => {
  test('gets no request until its certificate is trusted', async () => {
    const certificate = makeCertificate('IP:127.0.0.1');
    const keys: unknown[] = [];
    const server = createServer(certificate, (request, response) => {
      request.resume();
      keys.push(request.headers['api-key']);
      response.setHeader('content-type', 'application/json').end('{"result":[{"points":[]}]}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const open = () =>
      new QdrantVectorIndex({
        url: new URL(`https://127.0.0.1:${port}`),
        apiKey: () => ['hidden'],
        installation: '0192f0c1-2345-7abc-8def-0123456789ab',
        logger: {} as Logger,
      });
    const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 2 } as const;
    const query = { vectors: [Float32Array.of(1, 0)], limit: 1 };
    const trusted = tls.getCACertificates();
    try {
      await expect(open().searchPoints(space, query)).rejects.toMatchObject({
        code: 'vectors_unavailable',
        message: expect.stringContaining('not trusted'),
      });
      expect(keys).toEqual([]);
      tls.setDefaultCACertificates([...trusted, certificate.authority]);
      expect(await open().searchPoints(space, query)).toEqual([[]]);
      expect(keys).toEqual(['hidden']);
    } finally {
      tls.setDefaultCACertificates(trusted);
      server.closeAllConnections();
      server.close();
    }
  });
});
