import type { ConsumerName } from '@sightline/core/events/event-stream';
import type { EventConsumerDeps } from '@sightline/core/publishing/event-consumer';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter } from 'prom-client';

export type ConsumerObserver = Required<Pick<EventConsumerDeps, 'followed'>>;

/**
 * Counts the events that Kafka delivered twice, and the gaps in its deliveries, for each consumer in this process.
 */
export function createConsumerMetrics(
  registry: MetricsRegistry,
): (consumer: ConsumerName) => ConsumerObserver {
  const registers = [registry];
  const labelNames = ['consumer'];
  const repeated = new Counter({
    name: 'sightline_events_repeated_total',
    help: 'Events that Kafka delivered again after the consumer had processed them, by consumer.',
    labelNames,
    registers,
  });
  const gaps = new Counter({
    name: 'sightline_event_gaps_total',
    help: 'Times that a consumer found events in the outbox that Kafka had not delivered, by consumer.',
    labelNames,
    registers,
  });
  return (consumer) => ({
    followed: (worth) => {
      repeated.inc({ consumer }, worth.repeated);
      gaps.inc({ consumer }, worth.gaps);
    },
  });
}
