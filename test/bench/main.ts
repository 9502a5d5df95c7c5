import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { sizeThreadPool } from '@sightline/platform/config/size-thread-pool';
import { hasShared, shared } from '../support/fixtures/shared.ts';
import { replaceSection, sectionOf } from '../quality/replace-section.ts';
import { measureArchives } from './archives/measure-archives.ts';
import { measureEvents } from './events/measure-events.ts';
import { measureLibrary } from './library/measure-library.ts';
import { describeMachine } from './machine.ts';
import { measureKernels } from './measure-kernels.ts';
import type { MeasuredQdrant } from './measure-qdrant-search.ts';
import { renderReport } from './report.ts';
import { archivesSection } from './report-archives.ts';
import { eventsSection } from './report-events.ts';
import { jobsSection } from './report-jobs.ts';
import { kernelSection } from './report-kernels.ts';
import { librarySection } from './report-library.ts';
import { searchSection } from './report-search.ts';
import { swapsSection } from './report-swaps.ts';
import { benchJobs, benchSearch, benchSwapsOfPhotos, runBench } from './run-bench.ts';
import { PAGE, type SectionName, showSection } from './show-section.ts';
import { openSubjects } from './subjects.ts';

const { values } = parseArgs({
  options: {
    search: { type: 'boolean', default: false },
    kernels: { type: 'boolean', default: false },
    library: { type: 'boolean', default: false },
    jobs: { type: 'boolean', default: false },
    archives: { type: 'boolean', default: false },
    swaps: { type: 'boolean', default: false },
    events: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '4' },
    images: { type: 'string', default: '200' },
    unread: { type: 'string', default: '20000' },
    entries: { type: 'string', default: '100000' },
    count: { type: 'string', default: '10' },
    faces: { type: 'string', default: '10000' },
    gigabytes: { type: 'string', default: '1' },
    scale: { type: 'string', default: '1' },
  },
});

type NumberName = 'rounds' | 'seconds' | 'images' | 'unread' | 'entries' | 'count' | 'faces';

/** @throws RangeError if one is not a positive whole number */
function wholeNumbers<Name extends NumberName>(...names: readonly Name[]): Record<Name, number> {
  const entries = names.map((name) => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= 1) return [name, value] as const;
    throw new RangeError(`--${name} takes whole numbers from 1 on, not "${values[name]}".`);
  });
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** The sections that can be measured without models and photos. */
const SECTIONS: Partial<Record<SectionName, () => Promise<string>>> = {
  library: async () => librarySection(await measureLibrary(Number(values.scale))),
  archives: async () =>
    archivesSection(
      await measureArchives({ gigabytes: Number(values.gigabytes), ...wholeNumbers('rounds') }),
    ),
  events: async () =>
    eventsSection(await measureEvents(wholeNumbers('rounds', 'seconds', 'unread', 'entries'))),
};

/** The sections that take models and photos of the shared folder. */
const SHARED_SECTIONS: Partial<Record<SectionName, (workers: number) => Promise<string>>> = {
  jobs: async (workers) =>
    jobsSection(
      await benchJobs(await openSubjects(), { workers, ...wholeNumbers('rounds', 'images') }),
    ),
  swaps: async (workers) =>
    swapsSection(
      await benchSwapsOfPhotos(await openSubjects(), {
        workers,
        ...wholeNumbers('count', 'faces'),
      }),
    ),
};

/** Measures everything but the sections of clusters, which need root. */
async function benchAll(workers: number): Promise<void> {
  const { rounds, seconds } = wholeNumbers('rounds', 'seconds');
  const subjects = await openSubjects();
  const machine = await describeMachine(subjects);
  const python = process.env.SIGHTLINE_BENCH_PYTHON ?? 'python3';
  const options = { workers, rounds, seconds, python, qdrant: givenQdrant() };
  const report = await renderReport(await runBench(subjects, options), {
    machine,
    command: `make bench ARGS="--rounds ${rounds} --seconds ${seconds} --write"`,
  });
  console.log(report);
  if (!values.write) return;
  const page = await readFile(PAGE, 'utf8');
  const kept: readonly SectionName[] = ['operator', 'switches', 'api-pods'];
  const whole = kept.reduce(
    (made, name) => replaceSection(made, name, sectionOf(page, name)),
    report,
  );
  await writeFile(PAGE, whole);
}

/** The Qdrant of the tests, if an environment variable names one. */
function givenQdrant(): MeasuredQdrant | null {
  const url = process.env.SIGHTLINE_TEST_QDRANT_URL ?? '';
  const apiKey = process.env.SIGHTLINE_TEST_QDRANT_API_KEY ?? '';
  const many = process.env.SIGHTLINE_TEST_SOAK === '1';
  return url === '' ? null : { url: new URL(url), many, ...(apiKey !== '' && { apiKey }) };
}

async function benchShared(): Promise<void> {
  if (!hasShared()) {
    console.error(
      `The bench needs models in ${shared('packs')} and photos in ${shared('photos/people')}; set SIGHTLINE_SHARED to a folder that has them.`,
    );
    process.exitCode = 1;
    return;
  }
  const workers = availableParallelism();
  sizeThreadPool(workers);
  const name = chosen(SHARED_SECTIONS);
  if (name === undefined) await benchAll(workers);
  else await showSection(name, await SHARED_SECTIONS[name]!(workers), values.write);
}

function chosen(sections: Partial<Record<SectionName, unknown>>): SectionName | undefined {
  const flags: Partial<Record<string, unknown>> = values;
  return (Object.keys(sections) as SectionName[]).find((name) => flags[name] === true);
}

const section = chosen(SECTIONS);
if (values.search) {
  const { search, qdrantSearch } = await benchSearch(givenQdrant());
  console.log(searchSection(search, qdrantSearch));
} else if (values.kernels) {
  console.log(kernelSection(measureKernels()));
} else if (section !== undefined) {
  await showSection(section, await SECTIONS[section]!(), values.write);
} else {
  await benchShared();
}
