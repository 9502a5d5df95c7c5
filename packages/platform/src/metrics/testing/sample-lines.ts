import type { MetricsRegistry } from '../metrics-registry.ts';

/** The lines of `/metrics` that contain samples of the product's own metrics. */
export async function sampleLines(registry: MetricsRegistry): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('sightline_'));
}
