import { describe, expect, test } from '@jest/globals';
import { FakeAnalyzer } from '@sightline/core/testing/fake-analyzer';
import { checkHealth, type HealthCheck, type HealthSources } from './check-health.ts';

const works: HealthCheck = () => Promise.resolve(true);
const fails: HealthCheck = () => Promise.resolve(false);
const throws = () => Promise.reject(new Error('down'));
const hangs = () => new Promise<never>(() => undefined);

const ALL_OK = { database: 'ok', vectors: 'ok', media: 'ok', events: 'ok' };

function sources(changes: Partial<HealthSources['checks']> = {}): HealthSources {
  return {
    analyzer: new FakeAnalyzer(),
    checks: { database: works, vectors: works, media: works, events: works, ...changes },
    reembed: () => Promise.resolve(null),
  };
}

describe('checkHealth', () => {
  test('is ok if everything works', async () => {
    await expect(checkHealth(sources())).resolves.toMatchObject({
      status: 'ok',
      checks: ALL_OK,
      analyzer: { provider: 'cpu' },
      reembed: null,
    });
  });

  test.each(['vectors', 'media', 'events'] as const)('is degraded without %s', async (part) => {
    for (const check of [fails, throws]) {
      const report = await checkHealth(sources({ [part]: check }));
      expect(report).toMatchObject({ status: 'degraded', checks: { ...ALL_OK, [part]: 'failed' } });
    }
  });

  test('is degraded without a model', async () => {
    const analyzer = new FakeAnalyzer();
    analyzer.models = [];
    const report = await checkHealth({ ...sources(), analyzer });
    expect(report).toMatchObject({ status: 'degraded', checks: ALL_OK });
  });

  test('is degraded while faces get their embeddings of a new model', async () => {
    const reembed = { total: 10, done: 3, failed: 1 };
    const report = await checkHealth({ ...sources(), reembed: () => Promise.resolve(reembed) });
    expect(report).toMatchObject({ status: 'degraded', checks: ALL_OK, reembed });
  });

  test('is unavailable without the database, which cannot tell how far it is', async () => {
    const down = { ...sources({ database: fails, events: fails }), reembed: throws };
    await expect(checkHealth(down)).resolves.toMatchObject({
      status: 'unavailable',
      reembed: null,
    });
  });

  test('is unavailable while inference is not ready or does not answer', async () => {
    const analyzer = new FakeAnalyzer();
    analyzer.ready = false;
    expect((await checkHealth({ ...sources(), analyzer })).status).toBe('unavailable');
    analyzer.status = throws;
    await expect(checkHealth({ ...sources(), analyzer })).resolves.toMatchObject({
      status: 'unavailable',
      analyzer: null,
    });
  });

  test('does not wait for a part that hangs', async () => {
    const report = await checkHealth({ ...sources({ media: hangs }), reembed: hangs });
    expect(report).toMatchObject({
      status: 'degraded',
      checks: { media: 'failed' },
      reembed: null,
    });
  });
});
