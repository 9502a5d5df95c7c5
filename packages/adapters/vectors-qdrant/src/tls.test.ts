import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import type { Logger } from '@sightline/platform/logging/logger';
import { QdrantVectorIndex } from './qdrant-vector-index.ts';

/** A key and a certificate that it has signed itself; null where openssl is not. */
function makeCertificate(): { readonly key: Buffer; readonly cert: Buffer } | null {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
  ];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  try {
    const files = ['-keyout', key, '-out', cert];
    execFileSync('openssl', [...words, ...name, ...files], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const certificate = makeCertificate();
const describeWithTls =
  certificate !== null
    ? describe
    : (name: string, body: () => void) => describe.skip(`${name} [skipped: needs openssl]`, body);

describeWithTls('a Qdrant over TLS', () => {
  test('is told nothing until its certificate is trusted', async () => {
    const keys: unknown[] = [];
    const server = createServer(certificate!, (request, response) => {
      request.resume();
      keys.push(request.headers['api-key']);
      response.setHeader('content-type', 'application/json').end('{"result":[{"points":[]}]}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const open = () =>
      new QdrantVectorIndex({
        ...{ url: new URL(`https://127.0.0.1:${port}`), apiKey: 'hidden' },
        ...{ installation: '0192f0c1-2345-7abc-8def-0123456789ab', logger: {} as Logger },
      });
    const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 2 } as const;
    const query = { vectors: [Float32Array.of(1, 0)], limit: 1 };
    const trusted = tls.getCACertificates();
    try {
      await expect(open().searchPoints(space, query)).rejects.toMatchObject({
        ...{ code: 'vectors_unavailable', message: expect.stringContaining('not trusted') },
      });
      expect(keys).toEqual([]);
      tls.setDefaultCACertificates([...trusted, certificate!.cert.toString()]);
      expect(await open().searchPoints(space, query)).toEqual([[]]);
      expect(keys).toEqual(['hidden']);
    } finally {
      tls.setDefaultCACertificates(trusted);
      server.closeAllConnections();
      server.close();
    }
  });
});
