import type { MetricsRegistry } from '../metrics-registry.ts';

/** The samples of the service's own metrics, as `/metrics` has them. */
export async function sampleLines(registry: MetricsRegistry): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('sightline_'));
}
