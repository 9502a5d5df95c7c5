import { Counter, Gauge } from 'prom-client';
import type { DependencyObserver } from '../resilience/dependency.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

export function createDependencyMetrics(registry: MetricsRegistry): DependencyObserver {
  const registers = [registry];
  const up = new Gauge({
    name: 'sightline_dependency_up',
    help: 'Availability of an external service: 0 while its circuit breaker is open, or while the token service of the S3 issues no keys, else 1; by service.',
    labelNames: ['dependency'],
    registers,
  });
  const outages = new Counter({
    name: 'sightline_dependency_outages_total',
    help: 'Times that the circuit breaker of an external service opened, or that the token service of the S3 began to fail, by service and kind (failing, hanging).',
    labelNames: ['dependency', 'kind'],
    registers,
  });
  return {
    stateChanged: ({ name: dependency, state }) => {
      up.set({ dependency }, state === 'available' ? 1 : 0);
      if (state !== 'available') outages.inc({ dependency, kind: state });
    },
  };
}
