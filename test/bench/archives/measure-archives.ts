import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporaryData } from '../../support/fixtures/temporary-data.ts';
import { writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import { startStandalone } from '../../support/services/running-standalone.ts';
import { MemoryWatch, residentMemory } from '../memory-watch.ts';
import { median, type Spread, spreadOf } from '../statistics.ts';
import { exportArchive, importArchive } from './archive-client.ts';
import { forgetUnzipped, unzipOnce, zipOnce } from './bare-archives.ts';
import { PLANTED_BYTES, plantImages } from './plant-images.ts';

export interface ArchiveOptions {
  /** The size of the library. */
  readonly gigabytes: number;
  readonly rounds: number;
}

/** The figures of one direction, compared with a bare loop over the same files. */
export interface TransferFigures {
  /** The median speed in MB/s. */
  readonly served: number;
  readonly bare: number;
  /** The service's speed per bare loop's speed of the same round. */
  readonly ratio: Spread;
  /** The growth of the service's resident memory from idle to its peak, in bytes. */
  readonly memory: number;
}

export interface ArchiveFigures extends ArchiveOptions {
  readonly images: number;
  readonly exported: TransferFigures;
  readonly imported: TransferFigures;
}

/**
 * The copies on the disk: the library, its archive, the import's own copy of the archive, and the bare loop's
 * files.
 */
const COPIES = 4;

/**
 * Exports a library of this size over HTTP, and imports it into new environments of the same service. A bare
 * loop over the same files follows each export and import.
 *
 * @throws Error if the disk has no room for it
 */
export async function measureArchives({
  gigabytes,
  rounds,
}: ArchiveOptions): Promise<ArchiveFigures> {
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
  const exports = new Rounds(idle);
  const imports = new Rounds(idle);
  // The first export is not measured: it warms the service up, and the client writes it to the disk.
  await exportArchive(service, path);
  for (let round = 0; round < rounds; round++) {
    memory.takePeak();
    const exported = await speedOf(() => exportArchive(service));
    exports.add(exported, await speedOf(() => zipOnce(paths)), memory.takePeak());
    const { key: apiKey } = await service.createKey({ environment: `r${round}`, right: 'full' });
    const imported = await speedOf(() =>
      importArchive({ url: service.url, apiKey }, { path, images }),
    );
    imports.add(imported, await speedOf(() => unzipOnce(path, unzipped)), memory.takePeak());
    await forgetUnzipped(unzipped);
  }
  return { gigabytes, rounds, images, exported: exports.figures, imported: imports.figures };
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

/** The measured speeds of one direction, one pair for each round. */
class Rounds {
  readonly #served: number[] = [];
  readonly #bare: number[] = [];
  readonly #idle: number;
  #peak: number;

  constructor(idle: number) {
    this.#idle = idle;
    this.#peak = idle;
  }

  add(served: number, bare: number, peak: number): void {
    this.#served.push(served);
    this.#bare.push(bare);
    this.#peak = Math.max(this.#peak, peak);
  }

  get figures(): TransferFigures {
    return {
      served: median(this.#served),
      bare: median(this.#bare),
      ratio: spreadOf(this.#served.map((speed, round) => speed / this.#bare[round]!)),
      memory: this.#peak - this.#idle,
    };
  }
}

/** The speed in MB/s of work that returns its number of bytes. */
async function speedOf(work: () => Promise<number>): Promise<number> {
  const start = performance.now();
  const bytes = await work();
  return bytes / 1000 / (performance.now() - start);
}
