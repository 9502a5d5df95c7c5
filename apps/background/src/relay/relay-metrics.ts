import type { RelayDeps } from '@sightline/core/publishing/event-relay';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter } from 'prom-client';

export function createRelayMetrics(
  registry: MetricsRegistry,
): Required<Pick<RelayDeps, 'published'>> {
  const published = new Counter({
    name: 'sightline_events_published_total',
    help: 'Events that this relay has published to Kafka; after a takeover it publishes some of them again.',
    registers: [registry],
  });
  return { published: (events) => published.inc(events) };
}
