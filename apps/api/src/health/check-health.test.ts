import { describe, expect, test } from '@jest/globals';
import { FakeAnalyzer } from '@sightline/core/testing/fake-analyzer';
import { checkHealth } from './check-health.ts';

const works = () => Promise.resolve();
const fails = () => Promise.reject(new Error('down'));
const NOTHING = {
  database: 'not_configured',
  vectors: 'not_configured',
  media: 'not_configured',
  events: 'not_configured',
};

describe('checkHealth', () => {
  test('is ok with inference alone', async () => {
    await expect(checkHealth(new FakeAnalyzer(), {})).resolves.toMatchObject({
      status: 'ok',
      checks: NOTHING,
      analyzer: { provider: 'cpu' },
    });
  });

  test('is degraded when a part fails that not everything needs', async () => {
    const checks = { database: works, vectors: fails };
    await expect(checkHealth(new FakeAnalyzer(), checks)).resolves.toMatchObject({
      status: 'degraded',
      checks: { ...NOTHING, database: 'ok', vectors: 'failed' },
    });
  });

  test('is unavailable without the database', async () => {
    const report = await checkHealth(new FakeAnalyzer(), { database: fails });
    expect(report.status).toBe('unavailable');
  });

  test('is unavailable while inference is not ready or does not answer', async () => {
    const analyzer = new FakeAnalyzer();
    analyzer.ready = false;
    expect((await checkHealth(analyzer, {})).status).toBe('unavailable');
    analyzer.status = fails;
    await expect(checkHealth(analyzer, {})).resolves.toMatchObject({
      status: 'unavailable',
      analyzer: null,
    });
  });

  test('does not wait for a part that hangs', async () => {
    const hangs = () => new Promise<void>(() => undefined);
    const report = await checkHealth(new FakeAnalyzer(), { events: hangs });
    expect(report.checks.events).toBe('failed');
  });
});
