import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryData } from '../../support/fixtures/temporary-data.ts';
import { writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';
import { median } from '../statistics.ts';
import { PLANTED_BYTES, plantImages } from './plant-images.ts';

export interface ExportFigures {
  readonly images: number;
  readonly bytes: number;
  /** Seconds until all of an archive was received, and of a bare loop over the same files. */
  readonly seconds: { readonly exported: number; readonly bare: number };
  /** The most resident memory of the service while it exports, and before; in bytes. */
  readonly memory: { readonly exporting: number; readonly idle: number };
}

const MEMORY_EVERY_MS = 200;

/** Exports a library of so many bytes over HTTP, in turn with a bare loop over its files. */
export async function measureExport(gigabytes: number, rounds: number): Promise<ExportFigures> {
  await using data = await temporaryData();
  const packs = join(data.path, '../packs');
  await writeToyPacks(packs);
  const settings = { SIGHTLINE_DATA: data.path, SIGHTLINE_MODELS_DIR: packs };
  await (await startStandalone(settings)).stop();
  const images = Math.round((gigabytes * 1e9) / PLANTED_BYTES);
  const paths = await plantImages(data.path, images);
  await using service = await startStandalone(settings);
  await exportOnce(service);
  const idle = await memoryOf(service);
  let exporting = idle;
  const measuring = new AbortController();
  const measured = watch(service, measuring.signal, (bytes) => {
    exporting = Math.max(exporting, bytes);
  });
  const times = { exported: [] as number[], bare: [] as number[] };
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    times.exported.push(
      await timed(async () => {
        bytes = await exportOnce(service);
      }),
    );
    times.bare.push(await timed(() => zipOnce(paths)));
  }
  measuring.abort();
  await measured;
  return {
    images,
    bytes,
    seconds: { exported: median(times.exported), bare: median(times.bare) },
    memory: { exporting, idle },
  };
}

/** Answers the bytes of the archive. */
async function exportOnce(service: RunningStandalone): Promise<number> {
  const response = await service.fetch('/api/export', { method: 'POST' });
  if (!response.ok) throw new Error(`The export answers ${response.status}.`);
  let bytes = 0;
  for await (const chunk of response.body!) bytes += chunk.length;
  return bytes;
}

async function zipOnce(paths: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-zip.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(paths.join('\n'));
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += (chunk as Buffer).length;
  if (bytes < PLANTED_BYTES) throw new Error('The bare loop wrote nothing.');
}

async function watch(
  service: RunningStandalone,
  signal: AbortSignal,
  seen: (bytes: number) => void,
): Promise<void> {
  while (!signal.aborted) {
    seen(await memoryOf(service));
    await sleep(MEMORY_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function memoryOf({ opsUrl }: RunningStandalone): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (.+)$/m.exec(metrics)![1]);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
