import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './metrics-registry.ts';

export interface GaugeOptions {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: string[];
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Adds a gauge whose samples are computed at each scrape. */
export function addGauge(
  registry: MetricsRegistry,
  options: GaugeOptions,
  samples: () => readonly Sample[],
): void {
  new Gauge({
    ...options,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels = {}, value } of samples()) this.set(labels, value);
    },
  });
}
