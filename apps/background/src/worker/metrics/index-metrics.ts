import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Gauge } from 'prom-client';
import type { WorkerObserver } from '../worker-observer.ts';

export type IndexMetrics = Pick<WorkerObserver, 'indexMeasured' | 'indexCompared' | 'indexFilling'>;

/** Creates the metrics of the vector index that this process searches or maintains. */
export function createIndexMetrics(registry: MetricsRegistry): IndexMetrics {
  const registers = [registry];
  const filled = new Gauge({
    name: 'sightline_vector_index_filled',
    help: 'Whether the vector index is complete, so that matching may use it: 1 or 0.',
    registers,
  });
  const backlog = new Gauge({
    name: 'sightline_vector_index_backlog',
    help: 'Changes of vectors that have not been applied to the vector index yet; searches read them from the database.',
    registers,
  });
  const filling = new Gauge({
    name: 'sightline_vector_index_filling_points',
    help: 'Points that this process has written to the vector index that it is filling; 0 while it fills none.',
    registers,
  });
  const drift = new Gauge({
    name: 'sightline_vector_index_drift',
    help: 'Points in which the vector index and the database differed at the last comparison, by kind of difference.',
    labelNames: ['kind'],
    registers,
  });
  const comparedAt = new Gauge({
    name: 'sightline_vector_index_compared_timestamp_seconds',
    help: 'Time of the last comparison of the whole vector index with the database, in seconds since 1970.',
    registers,
  });
  const compared = (found: IndexDrift, at: Date): void => {
    for (const [kind, count] of Object.entries(found)) drift.set({ kind }, count);
    comparedAt.set(at.getTime() / 1000);
  };
  return {
    indexMeasured: (now) => {
      filled.set(now === null || now.state === 'unfilled' ? 0 : 1);
      backlog.set(now?.backlog ?? 0);
      if (now?.drift && now.comparedAt) compared(now.drift, now.comparedAt);
    },
    indexCompared: (found) => compared(found, new Date()),
    indexFilling: (points) => filling.set(points ?? 0),
  };
}
