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
  // A scrape leaves out a disk that does not respond within a second, as that of a busy machine.
  let lines = await sampleLines(registry);
  while (lines.length === 0) lines = await sampleLines(registry);
  const [line, ...more] = lines;
  expect(line).toMatch(/^sightline_disk_free_bytes\{folder="data"\} \d{4,}$/);
  expect(more).toEqual([]);
  await rm(folder.path, { recursive: true });
  expect(await sampleLines(registry)).toEqual([]);
});
