import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { sizeThreadPool } from '@sightline/platform/config/size-thread-pool';
import { hasShared, shared } from '../support/fixtures/shared.ts';
import { replaceSection, sectionOf } from '../quality/replace-section.ts';
import { measureArchives } from './archives/measure-archives.ts';
import { API_PODS_SECTION, OPERATOR_SECTION, SWITCHES_SECTION } from './cluster/report-cluster.ts';
import { measureEvents } from './events/measure-events.ts';
import { measureLibrary } from './library/measure-library.ts';
import { describeMachine } from './machine.ts';
import { measureKernels } from './measure-kernels.ts';
import type { MeasuredQdrant } from './measure-qdrant-search.ts';
import { renderReport } from './report.ts';
import { formatJobs, JOBS_SECTION } from './report-jobs.ts';
import { kernelSection } from './report-kernels.ts';
import { EVENTS_SECTION, formatEvents } from './report-events.ts';
import { ARCHIVES_SECTION, formatArchives } from './report-archives.ts';
import { formatLibrary, LIBRARY_SECTION } from './report-library.ts';
import { searchSection } from './report-search.ts';
import { formatSwaps, SWAPS_SECTION } from './report-swaps.ts';
import {
  benchJobs,
  type BenchOptions,
  benchSearch,
  benchSwapsOfPhotos,
  runBench,
} from './run-bench.ts';
import { PAGE, showSection } from './show-section.ts';
import { openSubjects } from './subjects.ts';

async function bench({
  rounds,
  seconds,
  write,
}: Omit<BenchOptions, 'python'> & { write: boolean }): Promise<void> {
  const workers = availableParallelism();
  sizeThreadPool(workers);
  const subjects = await openSubjects();
  const machine = await describeMachine(subjects);
  const figures = await runBench(subjects, {
    workers,
    rounds,
    seconds,
    python: process.env.SIGHTLINE_BENCH_PYTHON ?? 'python3',
    qdrant: givenQdrant(),
  });
  const report = await renderReport(figures, {
    machine,
    command: `make bench ARGS="--rounds ${rounds} --seconds ${seconds} --write"`,
  });
  console.log(report);
  if (write) await writeFile(PAGE, await withClusterSections(report));
}

/** A report with what the page has of clusters, which are measured by themselves: that needs root. */
async function withClusterSections(report: string): Promise<string> {
  const page = await readFile(PAGE, 'utf8');
  return [OPERATOR_SECTION, SWITCHES_SECTION, API_PODS_SECTION].reduce(
    (made, name) => replaceSection(made, name, sectionOf(page, name)),
    report,
  );
}

/** The server that tests take too, if one is given. */
function givenQdrant(): MeasuredQdrant | null {
  const url = process.env.SIGHTLINE_TEST_QDRANT_URL ?? '';
  const apiKey = process.env.SIGHTLINE_TEST_QDRANT_API_KEY ?? '';
  const many = process.env.SIGHTLINE_TEST_SOAK === '1';
  return url === '' ? null : { url: new URL(url), many, ...(apiKey !== '' && { apiKey }) };
}

async function jobsSection(rounds: number, images: number): Promise<string> {
  const workers = availableParallelism();
  sizeThreadPool(workers);
  return formatJobs(await benchJobs(await openSubjects(), { workers, rounds, images }));
}

async function swapsSection(count: number, faces: number): Promise<string> {
  const workers = availableParallelism();
  sizeThreadPool(workers);
  return formatSwaps(await benchSwapsOfPhotos(await openSubjects(), { workers, count, faces }));
}

function atLeastOne(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RangeError(
    `--rounds, --seconds, --images, --unread, --entries, --count and --faces take whole numbers from 1 on, not "${text}".`,
  );
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '4' },
    write: { type: 'boolean', default: false },
    search: { type: 'boolean', default: false },
    kernels: { type: 'boolean', default: false },
    library: { type: 'boolean', default: false },
    jobs: { type: 'boolean', default: false },
    archives: { type: 'boolean', default: false },
    gigabytes: { type: 'string', default: '1' },
    images: { type: 'string', default: '200' },
    swaps: { type: 'boolean', default: false },
    events: { type: 'boolean', default: false },
    unread: { type: 'string', default: '20000' },
    entries: { type: 'string', default: '100000' },
    count: { type: 'string', default: '10' },
    faces: { type: 'string', default: '10000' },
    scale: { type: 'string', default: '1' },
  },
});
if (values.search) {
  const { search, qdrantSearch } = await benchSearch(givenQdrant());
  console.log(searchSection(search, qdrantSearch));
} else if (values.kernels) {
  console.log(kernelSection(measureKernels()));
} else if (values.library) {
  const figures = await measureLibrary(Number(values.scale));
  await showSection(LIBRARY_SECTION, await formatLibrary(figures), values.write);
} else if (values.archives) {
  const gigabytes = Number(values.gigabytes);
  const figures = await measureArchives({ gigabytes, rounds: atLeastOne(values.rounds) });
  await showSection(ARCHIVES_SECTION, await formatArchives(figures), values.write);
} else if (values.events) {
  const figures = await measureEvents({
    rounds: atLeastOne(values.rounds),
    seconds: atLeastOne(values.seconds),
    unread: atLeastOne(values.unread),
    entries: atLeastOne(values.entries),
  });
  await showSection(EVENTS_SECTION, await formatEvents(figures), values.write);
} else if (values.jobs && hasShared()) {
  const section = await jobsSection(atLeastOne(values.rounds), atLeastOne(values.images));
  await showSection(JOBS_SECTION, section, values.write);
} else if (values.swaps && hasShared()) {
  const section = await swapsSection(atLeastOne(values.count), atLeastOne(values.faces));
  await showSection(SWAPS_SECTION, section, values.write);
} else if (hasShared()) {
  const { rounds, seconds, write } = values;
  await bench({ rounds: atLeastOne(rounds), seconds: atLeastOne(seconds), write });
} else {
  console.error(
    `The bench needs models in ${shared('packs')} and photos in ${shared('photos/people')}; set SIGHTLINE_SHARED to a folder that has them.`,
  );
  process.exitCode = 1;
}
