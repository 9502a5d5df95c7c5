import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { WorkerObserver } from '../worker-observer.ts';

export type SimilarityMetrics = Pick<
  WorkerObserver,
  'similarityMeasured' | 'similarityWorked' | 'faceSetAside'
>;

/** Creates the metrics of the follower that keeps suggestions, groups of strangers and mismatches. */
export function createSimilarityMetrics(registry: MetricsRegistry): SimilarityMetrics {
  const registers = [registry];
  const backlog = new Gauge({
    name: 'sightline_similarity_backlog',
    help: 'Changes that suggestions, groups of strangers and mismatches do not follow yet.',
    registers,
  });
  const oldest = new Gauge({
    name: 'sightline_similarity_oldest_change_seconds',
    help: 'Seconds that the oldest change has waited that suggestions, groups of strangers and mismatches do not follow yet.',
    registers,
  });
  const work = new Histogram({
    name: 'sightline_similarity_work_seconds',
    help: 'Duration of the work on similarity in this process, by kind: a batch of changes (changes), or the groups of an environment (groups).',
    labelNames: ['kind'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300],
    registers,
  });
  const setAside = new Counter({
    name: 'sightline_similarity_set_aside_total',
    help: 'Faces that this process has left out of suggestions and groups, because their vectors cannot be compared.',
    registers,
  });
  return {
    similarityMeasured: (reader) => {
      backlog.set(reader?.backlog ?? 0);
      oldest.set(reader?.oldestSeconds ?? 0);
    },
    similarityWorked: (kind, seconds) => work.observe({ kind }, seconds),
    faceSetAside: () => setAside.inc(),
  };
}
