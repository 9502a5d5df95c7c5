import tls from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '@sightline/platform/logging/logger';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import { randomUUID } from 'node:crypto';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { QdrantProcess } from '../support/servers/qdrant-process.ts';
import { describeWithCertificates, makeCertificate } from '../support/servers/test-certificate.ts';
import { describeVectorIndex } from './vector-index.contract.ts';

const apiKey = 'only-for-this-test';
const timeouts = { read: 60_000, write: 60_000, change: 60_000 };

describeWithQdrantProcess('a Qdrant with a key', () => {
  describeWithCertificates('over TLS', () => {
    let qdrant: QdrantProcess;
    const trusted = tls.getCACertificates();
    beforeAll(async () => {
      const certificate = makeCertificate('IP:127.0.0.1');
      tls.setDefaultCACertificates([...trusted, certificate.authority]);
      qdrant = await QdrantProcess.start({ apiKey, certificate });
    });
    afterAll(async () => {
      await qdrant[Symbol.asyncDispose]();
      tls.setDefaultCACertificates(trusted);
    });

    const open = (key: string | undefined) =>
      new QdrantVectorIndex({
        url: qdrant.url,
        ...(key !== undefined && { apiKey: () => [key] }),
        timeouts,
        installation: randomUUID(),
        logger: createLogger({ level: 'silent' }),
      });

    describeVectorIndex(
      'vectors-qdrant',
      () =>
        Promise.resolve({ index: open(apiKey), [Symbol.asyncDispose]: () => Promise.resolve() }),
      { tolerance: 1e-5 },
    );

    test.each([undefined, 'another-key'])(
      'refuses the key %s, which is in no message',
      async (key) => {
        const index = open(key);
        expect(await index.state()).toBe('unavailable');
        const failure = await index.begin().then(
          () => null,
          (error: unknown) => error,
        );
        expect(failure).toMatchObject({
          code: 'vectors_unavailable',
          message: expect.stringContaining('rejects the API key'),
          cause: { code: 'HTTP_401' },
        });
        const { message, stack, cause } = failure as Error;
        const { message: inner, stack: innerStack } = cause as Error;
        expect([message, stack, inner, innerStack].join()).not.toContain('another-key');
      },
    );
  });
});
