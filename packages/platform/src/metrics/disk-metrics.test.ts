import { rm } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { createDiskMetrics } from './disk-metrics.ts';
import { createMetricsRegistry } from './metrics-registry.ts';
import { sampleLines } from './testing/sample-lines.ts';

test('free bytes are read at each scrape, and omitted for a deleted folder', async () => {
  await using folder = await temporaryFolder();
  const registry = createMetricsRegistry();
  createDiskMetrics(registry, { data: folder.path, spool: '/no/such/folder' });
  const [line, ...more] = await sampleLines(registry);
  expect(line).toMatch(/^sightline_disk_free_bytes\{folder="data"\} \d{4,}$/);
  expect(more).toEqual([]);
  await rm(folder.path, { recursive: true });
  expect(await sampleLines(registry)).toEqual([]);
});
