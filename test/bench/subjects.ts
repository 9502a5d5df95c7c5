import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { type SelectedPacks, selectPacks } from '@sightline/engine/packs/select-packs';
import { openStarter } from '../support/fixtures/open-starter.ts';
import { shared } from '../support/fixtures/shared.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

/** Models to measure, with the workloads to measure them at. */
export interface Subject extends Plan {
  /** The names of its packs. */
  readonly name: string;
  readonly packs: readonly ModelPack[];
  readonly models: SelectedPacks;
}

interface Plan {
  readonly throughput: readonly WorkloadName[];
  readonly latency: readonly WorkloadName[];
  /** The settings with which a service loads the models. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * The packs of the shared folder, followed by the available starter packs. Fewer workloads of the starter are
 * measured, so that a second set of models does not double the time.
 */
export async function openSubjects(): Promise<Subject[]> {
  const folder = shared('packs');
  const { packs } = await discoverPacks(folder);
  const given = subjectOf(packs, {
    throughput: ['faces', 'objects', 'verify', 'identify', 'detect'],
    latency: ['faces', 'objects', 'detect'],
    settings: { SIGHTLINE_MODELS_DIR: folder },
  });
  const starter = await openStarter();
  if (starter.length === 0) return [given];
  const names = starter.map(({ manifest: { task, name } }) => [variableOf(task), name] as const);
  return [
    given,
    subjectOf(starter, {
      throughput: ['faces', 'objects', 'detect'],
      latency: ['faces', 'objects'],
      settings: {
        SIGHTLINE_MODELS_DIR: '',
        SIGHTLINE_STARTER: 'auto',
        ...Object.fromEntries(names),
      },
    }),
  ];
}

function variableOf(task: string): string {
  return `SIGHTLINE_${task.toUpperCase()}_MODEL`;
}

/** Keeps only the workloads for which there is a model. */
function subjectOf(packs: readonly ModelPack[], { throughput, latency, settings }: Plan): Subject {
  const models = selectPacks(packs, {});
  const isServed = (workload: WorkloadName): boolean => {
    const { analysis } = WORKLOADS[workload];
    return ('objects' in analysis ? models.object : models.face) !== null;
  };
  return {
    name: packs.map(({ manifest }) => manifest.name).join(' and '),
    packs,
    models,
    throughput: throughput.filter(isServed),
    latency: latency.filter(isServed),
    settings,
  };
}
