import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter, Gauge } from 'prom-client';
import type { WorkerObserver } from '../worker-observer.ts';
import { createIndexMetrics } from './index-metrics.ts';
import { createJobMetrics } from './job-metrics.ts';
import { createSimilarityMetrics } from './similarity-metrics.ts';

export function createWorkerMetrics(registry: MetricsRegistry): WorkerObserver {
  const registers = [registry];
  const failures = new Counter({
    name: 'sightline_background_task_failures_total',
    help: 'Failed runs of background tasks, which the process retries, by task.',
    labelNames: ['task'],
    registers,
  });
  const rows = new Gauge({
    name: 'sightline_outbox_rows',
    help: 'Events in the outbox, both read and unread, as the database server estimates.',
    registers,
  });
  const horizon = new Gauge({
    name: 'sightline_snapshot_horizon_age_seconds',
    help: 'Seconds since the start of the oldest open database transaction that writes; consumers do not read newer events until it ends.',
    registers,
  });
  const lag = new Gauge({
    name: 'sightline_events_lag_seconds',
    help: "Seconds that a consumer's next event has waited, by consumer.",
    labelNames: ['consumer'],
    registers,
  });
  const relays = new Gauge({
    name: 'sightline_relay_lag_seconds',
    help: 'Seconds that the next event has waited for a relay to publish it, by topic; only topics of the last seven days.',
    labelNames: ['topic'],
    registers,
  });
  const messages = new Gauge({
    name: 'sightline_webhook_messages',
    help: 'Messages that wait to be sent to webhooks, counted up to 100,000, by state: first attempt (first), or repeated after a failure.',
    labelNames: ['state'],
    registers,
  });
  const orphans = new Counter({
    name: 'sightline_orphans_collected_total',
    help: 'Files of the media store without a row in the database that this process has deleted.',
    registers,
  });
  return {
    ...createIndexMetrics(registry),
    ...createJobMetrics(registry),
    ...createSimilarityMetrics(registry),
    taskFailed: (task) => failures.inc({ task }),
    outboxState: (state) => {
      rows.set(state.rows);
      horizon.set(state.horizonAgeSeconds);
    },
    consumersMeasured: (lags) => {
      for (const [consumer, seconds] of Object.entries(lags)) lag.set({ consumer }, seconds);
    },
    relaysMeasured: (states) => {
      relays.reset();
      for (const { topic, lagSeconds } of states) relays.set({ topic }, lagSeconds);
    },
    messagesMeasured: ({ first, repeated }) => {
      messages.set({ state: 'first' }, first);
      messages.set({ state: 'repeated' }, repeated);
    },
    orphansCollected: (count) => orphans.inc(count),
  };
}
