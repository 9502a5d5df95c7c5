import { rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryData } from '../../support/fixtures/temporary-data.ts';
import { writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import { startStandalone } from '../../support/services/running-standalone.ts';
import type { Bench, Measured } from '../bench.ts';
import { grouped, megabytes, spreadCell } from '../cells.ts';
import { markdownTable } from '../markdown-table.ts';
import { MemoryWatch, residentMemory } from '../memory-watch.ts';
import { median } from '../statistics.ts';
import { exportArchive, importArchive } from './archive-client.ts';
import { unzipOnce, zipOnce } from './bare-archives.ts';
import { PLANTED_BYTES, plantImages } from './plant-images.ts';

/** The copies on the disk: the library, its archive, the import's copy of the archive, and the bare loop's files. */
const COPIES = 4;

/**
 * Exports a library over HTTP, and imports it into new environments of the same service. A bare loop over the
 * same files follows each export and import.
 *
 * @throws Error if the disk has no room for it
 */
export async function measureArchives({ gigabytes, rounds, madeBy }: Bench): Promise<Measured> {
  await requireRoom(gigabytes * (COPIES + rounds));
  await using data = await temporaryData();
  const beside = (name: string) => join(data.path, '..', name);
  const [packs, path, unzipped] = [beside('packs'), beside('archive.zip'), beside('unzipped')];
  await writeToyPacks(packs);
  const settings = { SIGHTLINE_DATA: data.path, SIGHTLINE_MODELS_DIR: packs };
  await (await startStandalone(settings)).stop();
  const images = Math.round((gigabytes * 1e9) / PLANTED_BYTES);
  const paths = await plantImages(data.path, images);
  await using service = await startStandalone(settings);
  const metricsUrl = `${service.opsUrl}/metrics`;
  const idle = await residentMemory(metricsUrl);
  await using memory = new MemoryWatch(metricsUrl);
  const compare = async (served: () => Promise<number>, bare: () => Promise<number>) => {
    memory.takePeak();
    const speeds = { served: await speedOf(served), bare: await speedOf(bare) };
    return { ...speeds, memory: memory.takePeak() - idle };
  };
  // The first export is not measured: it warms the service up, and the client writes it to the disk.
  await exportArchive(service, path);
  const exports: Transfer[] = [];
  const imports: Transfer[] = [];
  for (let round = 0; round < rounds; round++) {
    exports.push(
      await compare(
        () => exportArchive(service),
        () => zipOnce(paths),
      ),
    );
    const { key: apiKey } = await service.createKey({ environment: `r${round}`, right: 'full' });
    imports.push(
      await compare(
        () => importArchive({ url: service.url, apiKey }, { path, images }),
        () => unzipOnce(path, unzipped),
      ),
    );
    await rm(unzipped, { recursive: true });
  }
  const text = `## Archives

${madeBy}

An export of ${grouped(images)} images with two faces each, ${gigabytes} GB, from the request until its last byte, and an import of the
archive into an empty environment, from the first byte of the request until the answer. The bare loop of an export is a
process that writes the same files as a ZIP into a pipe. That of an import is a process that reads the archive, compares
checksums and writes each file, forced to disk like those of the service. Service, database and client share
the cores. Ratios are computed per round and shown as their median (least to greatest). Memory is the growth of
the service's process since it was idle.

${markdownTable(
  ['measure', 'bare loop', 'service', 'ratio', 'aim'],
  [...rowsOf('export', exports), ...rowsOf('import', imports)],
)}`;
  return { text };
}

/** The speeds in MB/s, and the growth of the service's memory in bytes. */
interface Transfer {
  readonly served: number;
  readonly bare: number;
  readonly memory: number;
}

function rowsOf(name: string, rounds: readonly Transfer[]): string[][] {
  const speed = (side: 'served' | 'bare') => median(rounds.map((each) => each[side])).toFixed(0);
  const ratio = spreadCell(rounds.map(({ served, bare }) => served / bare));
  const memory = megabytes(Math.max(...rounds.map((each) => each.memory)));
  return [
    [`${name} / bare loop, MB/s`, speed('bare'), speed('served'), ratio, 'at least 0.7'],
    [`memory of an ${name}, MB`, '', memory, '', 'at most 300'],
  ];
}

/** @throws Error if the disk has less space */
async function requireRoom(gigabytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(tmpdir());
  const free = (bavail * bsize) / 1e9;
  if (free > gigabytes) return;
  throw new Error(
    `${tmpdir()} has ${free.toFixed(0)} GB of room; the measurement takes ${gigabytes.toFixed(0)}.`,
  );
}

/** The speed in MB/s of work that returns its number of bytes. */
async function speedOf(work: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const bytes = await work();
  return bytes / 1000 / (performance.now() - start);
}
