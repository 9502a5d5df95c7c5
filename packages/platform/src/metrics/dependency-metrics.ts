import { Counter, Gauge } from 'prom-client';
import type { DependencyObserver } from '../resilience/dependency.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/** Told by the services outside of this process that they answer or do not. */
export function createDependencyMetrics(registry: MetricsRegistry): DependencyObserver {
  const registers = [registry];
  const up = new Gauge({
    name: 'sightline_dependency_up',
    help: 'Whether a service outside of this process answers (1) or its circuit is open (0), by service.',
    labelNames: ['dependency'],
    registers,
  });
  const outages = new Counter({
    name: 'sightline_dependency_outages_total',
    help: 'Times that the circuit of a service outside of this process opened, by service and kind (failing, hanging).',
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
