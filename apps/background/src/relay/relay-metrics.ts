import type { RelayDeps } from '@sightline/core/publishing/event-relay';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter } from 'prom-client';

export function createRelayMetrics(
  registry: MetricsRegistry,
): Required<Pick<RelayDeps, 'published'>> {
  const published = new Counter({
    name: 'sightline_events_published_total',
    help: 'Events that this relay has published to Kafka. A relay that takes over from another one publishes some events again.',
    registers: [registry],
  });
  return { published: (events) => published.inc(events) };
}
