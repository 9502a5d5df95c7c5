import { expect, test } from '@jest/globals';
import { addGauge, type Sample } from './add-gauge.ts';
import { createMetricsRegistry } from './metrics-registry.ts';
import { sampleLines } from './testing/sample-lines.ts';

test('a gauge has only the samples that are current at the scrape', async () => {
  const registry = createMetricsRegistry();
  let samples: readonly Sample[] = [
    { labels: { queue: 'a' }, value: 1 },
    { labels: { queue: 'b' }, value: 2 },
  ];
  const options = { name: 'sightline_waiting', help: 'What waits.', labelNames: ['queue'] };
  addGauge(registry, options, () => samples);
  const read = async () => (await sampleLines(registry)).filter((line) => line.includes('waiting'));
  expect(await read()).toEqual([
    'sightline_waiting{queue="a"} 1',
    'sightline_waiting{queue="b"} 2',
  ]);
  samples = [{ labels: { queue: 'b' }, value: 3 }];
  expect(await read()).toEqual(['sightline_waiting{queue="b"} 3']);
});

test('a gauge may have no labels', async () => {
  const registry = createMetricsRegistry();
  addGauge(registry, { name: 'sightline_sets', help: 'Sets.' }, () => [{ value: 7 }]);
  expect(await sampleLines(registry)).toContain('sightline_sets 7');
});
