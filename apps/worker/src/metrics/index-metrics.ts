import { Gauge } from 'prom-client';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';

/** How an index stands; counts are 0 or more. */
export interface IndexStanding {
  readonly state: string;
  readonly backlog: number;
  /** Null if the whole index was never compared. */
  readonly comparedAt: Date | null;
  readonly drift: Drift | null;
}

/** Points in which index and database differ, by kind. */
type Drift = Readonly<Record<'missing' | 'extra' | 'stale', number>>;

/** Told how the index of vectors stands that this process searches in or keeps. */
export interface IndexMetrics {
  /** Null: changes are not noted for it. */
  indexStands(now: IndexStanding | null): void;
  /** What a comparison found that ended just now. */
  indexCompared(drift: Drift): void;
  /** Null: it is not being filled. */
  indexFilling(points: number | null): void;
}

export function createIndexMetrics(registry: MetricsRegistry): IndexMetrics {
  const registers = [registry];
  const filled = new Gauge({
    name: 'sightline_vector_index_filled',
    help: 'Whether the index has been filled, so that matching may use it: 1 or 0.',
    registers,
  });
  const backlog = new Gauge({
    name: 'sightline_vector_index_backlog',
    help: 'Changes of vectors that wait for the index; searches read them from the database.',
    registers,
  });
  const filling = new Gauge({
    name: 'sightline_vector_index_filling_points',
    help: 'Points of the index that this process is filling; 0 while it fills none.',
    registers,
  });
  const drift = new Gauge({
    name: 'sightline_vector_index_drift',
    help: 'Points in which index and database differed at the last comparison, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const comparedAt = new Gauge({
    name: 'sightline_vector_index_compared_timestamp_seconds',
    help: 'When the whole index was last compared with the database, in seconds since 1970.',
    registers,
  });
  const compared = (found: Drift, at: Date): void => {
    for (const [kind, count] of Object.entries(found)) drift.set({ kind }, count);
    comparedAt.set(at.getTime() / 1000);
  };
  return {
    indexStands: (now) => {
      filled.set(now === null || now.state === 'unfilled' ? 0 : 1);
      backlog.set(now?.backlog ?? 0);
      if (now?.drift && now.comparedAt) compared(now.drift, now.comparedAt);
    },
    indexCompared: (found) => compared(found, new Date()),
    indexFilling: (points) => filling.set(points ?? 0),
  };
}
