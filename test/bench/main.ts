import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sizeThreadPool } from '@sightline/platform/config/size-thread-pool';
import { countBuffers } from '@sightline/platform/process/count-buffers';
import { format } from 'prettier';
import { replaceSection, sectionOf } from '../quality/replace-section.ts';
import { hasShared, shared } from '../support/fixtures/shared.ts';
import { measureArchives } from './archives/measure-archives.ts';
import { type Bench, DEFAULTS, type Goal, type Measure } from './bench.ts';
import { measureApiPods } from './cluster/measure-api-pods.ts';
import { measureOperator } from './cluster/measure-operator.ts';
import { measureSwitches } from './cluster/measure-switches.ts';
import { goalTable } from './goal-table.ts';
import { measureConsole } from './console/measure-console.ts';
import { measureEvents } from './events/measure-events.ts';
import { measureCuration } from './library/measure-curation.ts';
import { measureGalleries } from './galleries/measure-galleries.ts';
import { measureLibrary } from './library/measure-library.ts';
import { describeMachine, describeModels } from './machine.ts';
import { markdownTable } from './markdown-table.ts';
import { measureAccounts } from './measure-accounts.ts';
import { measureCompositions } from './measure-compositions.ts';
import { measureFlood } from './measure-flood.ts';
import { measureHop } from './measure-hop.ts';
import { measureJobs } from './measure-jobs.ts';
import { measureKernels } from './measure-kernels.ts';
import { measureLag } from './measure-lag.ts';
import { measureLatency } from './measure-latency.ts';
import { measureSearch } from './measure-search.ts';
import { measureStages } from './measure-stages.ts';
import { measureThroughput } from './measure-throughput.ts';
import { loadPhotos } from './photos.ts';
import { measureNaming } from './naming/measure-naming.ts';
import { measureRows } from './rows/measure-rows.ts';
import { openSubjects } from './subjects.ts';
import { measureSwaps } from './swaps/measure-swaps.ts';

// The bench is a side of some measurements, and has to collect its buffers like a service.
countBuffers();

const DOCS = resolve(import.meta.dirname, '../../docs');
/** The page with the figures, and a marked section for each measure. */
const PAGE = 'performance.md';
/** Measures that have their section in another page. */
const PAGES: Readonly<Record<string, string>> = { naming: 'curation.md' };

/** Measures that need models and photos of the shared folder. */
const SHARED: Readonly<Record<string, Measure>> = {
  stages: measureStages,
  throughput: measureThroughput,
  latency: measureLatency,
  lag: measureLag,
  flood: measureFlood,
  accounts: measureAccounts,
  jobs: measureJobs,
  compositions: measureCompositions,
  swaps: measureSwaps,
  naming: measureNaming,
};

/** Measures that a run runs only if they are named, because they need root and a cluster. */
const CLUSTER: Readonly<Record<string, Measure>> = {
  operator: measureOperator,
  switches: measureSwitches,
  'api-pods': measureApiPods,
};

/** Measures that a run runs only if they are named, because they take half an hour or need a browser. */
const LONG: Readonly<Record<string, Measure>> = {
  galleries: measureGalleries,
  console: measureConsole,
};

const MEASURES: Readonly<Record<string, Measure>> = {
  // These two come first: their figures suffer from a large heap and from memory that was used before.
  hop: measureHop,
  search: measureSearch,
  kernels: measureKernels,
  ...SHARED,
  archives: measureArchives,
  events: measureEvents,
  library: measureLibrary,
  curation: measureCuration,
  rows: measureRows,
  ...LONG,
  ...CLUSTER,
};

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    ...flags(Object.keys(MEASURES), 'boolean'),
    ...flags(Object.keys(DEFAULTS), 'string'),
  },
});

function flags<const T extends 'boolean' | 'string'>(
  names: readonly string[],
  type: T,
): Record<string, { type: T }> {
  return Object.fromEntries(names.map((name) => [name, { type }]));
}

/** @throws RangeError if an option is not a positive number */
function numbers(): typeof DEFAULTS {
  const given = Object.entries(DEFAULTS).map(([name, usual]) => {
    const value = Number((values as Partial<Record<string, unknown>>)[name] ?? usual);
    if (value > 0) return [name, value];
    throw new RangeError(`--${name} takes positive numbers.`);
  });
  return Object.fromEntries(given) as typeof DEFAULTS;
}

/** @param name the measure that another command runs; null: `make bench` runs it */
function commandOf(name: string | null): string {
  const args = process.argv.slice(2).filter((arg) => arg !== `--${name}`);
  const quoted = args.length > 1 ? `"${args.join(' ')}"` : args.join('');
  const target = name === null ? 'make bench' : 'make bench-cluster';
  return `Made by \`${target}${quoted === '' ? '' : ` ARGS=${quoted}`}\``;
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}

async function show(name: string, text: string): Promise<void> {
  const section = await format(text, { parser: 'markdown', printWidth: 100 });
  console.log(section);
  if (!values.write) return;
  const page = join(DOCS, PAGES[name] ?? PAGE);
  await writeFile(page, replaceSection(await readFile(page, 'utf8'), name, section));
}

const named = Object.keys(MEASURES).filter((name) => values[name as 'write']);
const chosen =
  named.length > 0
    ? named
    : Object.keys(MEASURES).filter((name) => !(name in CLUSTER || name in LONG));
const needsShared = chosen.some((name) => name in SHARED || name === 'hop');
if (needsShared && !hasShared()) {
  throw new Error(
    `The bench needs models in ${shared('packs')} and photos in ${shared('photos/people')}; set SIGHTLINE_SHARED to a folder that has them.`,
  );
}
const workers = availableParallelism();
if (needsShared) sizeThreadPool(workers);
const machine = await describeMachine();
const subjects = once(openSubjects);
const photos = once(async () => loadPhotos((await subjects())[0]!.models));
const goals: Goal[] = [];
for (const name of chosen) {
  console.error(`measuring ${name} ...`);
  const facts = machine.map((fact) => fact.join(': ')).join('; ');
  const madeBy = name in CLUSTER ? `${commandOf(name)} (${facts}).` : `${commandOf(null)}.`;
  const bench: Bench = { ...numbers(), workers, madeBy, subjects, photos };
  const measured = await MEASURES[name]!(bench);
  const { text } = measured;
  await show(name, text.includes(madeBy) ? text : `${text}\n\n${madeBy}`);
  goals.push(...(measured.goals ?? []));
}
if (goals.length > 0) {
  const models = await subjects();
  const before =
    values.write && named.length > 0
      ? sectionOf(await readFile(join(DOCS, PAGE), 'utf8'), 'overview')
      : '';
  await show(
    'overview',
    `${markdownTable(['', ''], [...machine, ...describeModels(models)])}

The overhead of the service, with each pair of models. A goal that is missed is in bold. The sections below have the
spread of these figures, and the commands that made them:

${goalTable(before, { models: models.map(({ name }) => name), goals })}`,
  );
}
