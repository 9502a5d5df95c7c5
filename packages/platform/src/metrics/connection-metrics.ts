import { Counter, Gauge } from 'prom-client';
import type { ConnectionObserver } from '../http/connection-limits.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

/** Counts the connections to SIGHTLINE_PORT. */
export function createConnectionMetrics(registry: MetricsRegistry): ConnectionObserver {
  const registers = [registry];
  const open = new Gauge({
    name: 'sightline_http_connections',
    help: 'Open connections to SIGHTLINE_PORT.',
    registers,
  });
  const closed = new Counter({
    name: 'sightline_http_connections_closed_total',
    help: 'Connections that the process closed for lack of room, by reason: idle if a new connection took the place, over_share if their address had its share, full if there was no place.',
    labelNames: ['reason'],
    registers,
  });
  return {
    open: (count) => open.set(count),
    closed: (reason) => closed.inc({ reason }),
  };
}
