import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryData } from '../../support/fixtures/temporary-data.ts';
import { writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';
import { median, type Spread, spreadOf } from '../statistics.ts';
import { PLANTED_BYTES, plantImages } from './plant-images.ts';

export interface ExportOptions {
  /** Of the library. */
  readonly gigabytes: number;
  readonly rounds: number;
}

export interface ExportFigures extends ExportOptions {
  readonly images: number;
  /** MB/s of an export, and of a bare loop over the same files: medians. */
  readonly exported: number;
  readonly bare: number;
  /** Of the two, round by round. */
  readonly ratio: Spread;
  /** By which the resident memory of the service grew at most, in bytes. */
  readonly memory: number;
}

const MEMORY_EVERY_MS = 200;

/** Exports a library of so many bytes over HTTP, in turn with a bare loop over its files. */
export async function measureExport({ gigabytes, rounds }: ExportOptions): Promise<ExportFigures> {
  await using data = await temporaryData();
  const packs = join(data.path, '../packs');
  await writeToyPacks(packs);
  const settings = { SIGHTLINE_DATA: data.path, SIGHTLINE_MODELS_DIR: packs };
  await (await startStandalone(settings)).stop();
  const images = Math.round((gigabytes * 1e9) / PLANTED_BYTES);
  const paths = await plantImages(data.path, images);
  await using service = await startStandalone(settings);
  const idle = await memoryOf(service);
  let exporting = idle;
  const measuring = new AbortController();
  const measured = watch(service, measuring.signal, (bytes) => {
    exporting = Math.max(exporting, bytes);
  });
  await exportOnce(service);
  const exported: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round++) {
    exported.push(await speedOf(() => exportOnce(service)));
    bare.push(await speedOf(() => zipOnce(paths)));
  }
  measuring.abort();
  await measured;
  return {
    gigabytes,
    rounds,
    images,
    exported: median(exported),
    bare: median(bare),
    ratio: spreadOf(exported.map((speed, round) => speed / bare[round]!)),
    memory: exporting - idle,
  };
}

/** Answers the bytes of the archive. */
async function exportOnce(service: RunningStandalone): Promise<number> {
  const response = await service.fetch('/api/export', { method: 'POST' });
  if (!response.ok) throw new Error(`The export answers ${response.status}.`);
  let bytes = 0;
  for await (const chunk of response.body!) bytes += (chunk as Uint8Array).length;
  return bytes;
}

/** Answers the bytes of the ZIP. */
async function zipOnce(paths: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-zip.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(paths.join('\n'));
  let bytes = 0;
  for await (const chunk of child.stdout) bytes += (chunk as Buffer).length;
  return bytes;
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

/** In MB/s, of work that answers its bytes. */
async function speedOf(work: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const bytes = await work();
  return bytes / 1000 / (performance.now() - start);
}
