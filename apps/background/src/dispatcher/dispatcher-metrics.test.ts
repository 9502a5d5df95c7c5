import { expect, test } from '@jest/globals';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createDispatcherMetrics } from './dispatcher-metrics.ts';

test('attempts are counted by result, and webhooks that were switched off by reason', async () => {
  const registry = createMetricsRegistry();
  const metrics = createDispatcherMetrics(registry);
  metrics.attempted({ ok: true, statusCode: 204 });
  metrics.attempted({ ok: false, statusCode: 500 });
  metrics.attempted({ ok: false, statusCode: 302 });
  metrics.attempted({ ok: false, statusCode: null });
  metrics.switchedOff('gone');
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'sightline_webhook_attempts_total{result="delivered"} 1',
      'sightline_webhook_attempts_total{result="refused"} 2',
      'sightline_webhook_attempts_total{result="unanswered"} 1',
      'sightline_webhooks_switched_off_total{reason="gone"} 1',
    ]),
  );
});
