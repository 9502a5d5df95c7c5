import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { mediaKey } from '@sightline/core/media/media-key';
import { S3MediaStore } from './s3-media-store.ts';

/** A key and a certificate that it has signed itself; null where openssl is not. */
function makeCertificate(): { readonly key: Buffer; readonly cert: Buffer } | null {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'],
        ...['-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
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

describeWithTls('over TLS', () => {
  const readKeys = () => ({ accessKey: 'somebody', secretKey: 'hidden' });

  test('nothing is said to a server that is not trusted; one that is gets a checked body', async () => {
    const requests: IncomingMessage[] = [];
    const server = createServer(certificate!, (request, answer) => {
      requests.push(request);
      request.resume();
      answer.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    using store = new S3MediaStore({
      endpoint: new URL(`https://127.0.0.1:${port}`),
      ...{ bucket: 'sightline', region: 'us-east-1', readKeys },
    });
    const key = mediaKey(1, 'crops', { digest: '0f'.repeat(32), extension: 'jpg' });
    const trusted = tls.getCACertificates();
    try {
      await expect(store.put(key, new Uint8Array(10))).rejects.toMatchObject({
        code: 'store_unavailable',
        message: "The media store's certificate is not trusted.",
      });
      expect(requests).toHaveLength(0);
      tls.setDefaultCACertificates([...trusted, certificate!.cert.toString()]);
      await store.put(key, new Uint8Array(10));
      expect(requests[0]!.headers).toMatchObject({ 'content-md5': expect.any(String) });
    } finally {
      tls.setDefaultCACertificates(trusted);
      server.closeAllConnections();
      server.close();
    }
  });
});
