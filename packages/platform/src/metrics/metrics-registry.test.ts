import { expect, test } from '@jest/globals';
import { createMetricsRegistry } from './metrics-registry.ts';

test('the names of counters end in _total, and no others do', async () => {
  const metrics = await createMetricsRegistry().getMetricsAsJSON();
  expect(metrics.length).toBeGreaterThan(20);
  const misnamed = metrics.filter(
    ({ name, type }) => name.endsWith('_total') !== (String(type) === 'counter'),
  );
  expect(misnamed.map(({ name }) => name)).toEqual([]);
});
