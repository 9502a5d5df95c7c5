import type { ReportedModel } from '@sightline/contracts/cluster/model-report';
import type { HeldModel } from '@sightline/core/models/analyzer-status';
import type { AskedModels } from './asked-models.ts';
import type { NotedPacks } from './noted-packs.ts';
import type { ServingFile } from '@sightline/contracts/cluster/serving-file';
import { loadTrouble, type Trouble } from './trouble.ts';

export interface Reporting {
  readonly file: ServingFile;
  /** What the engine holds, loads or could not load. */
  readonly held: readonly HeldModel[];
  readonly packs: Pick<NotedPacks, 'stateOf'>;
  readonly asked: Pick<AskedModels, 'secondsSince'>;
  /** Why nothing could be loaded at the start. */
  readonly failure: Trouble | null;
}

/** The models of the file, and those that the engine still holds besides. */
export function reportModels(reporting: Reporting): readonly ReportedModel[] {
  const { file, held, asked } = reporting;
  const named = new Set(file.models.map(({ revision }) => revision));
  const leaving = held.filter(({ revision, state }) => state === 'warm' && !named.has(revision));
  const lastAsked = ({ revision }: { readonly revision: string }) => ({
    lastAskedSecondsAgo: asked.secondsSince(revision),
  });
  return [
    ...file.models.map(({ name, task, revision, keep }) => {
      const state = keep === 'loaded' ? loadedState(revision, reporting) : undefined;
      const told = toldOf(state ?? diskState(revision, reporting));
      return { name, task, revision, ...told, ...lastAsked({ revision }) };
    }),
    ...leaving.map((model) => {
      const { name, task, revision } = model;
      return { name, task, revision, ...toldOf('warm'), ...lastAsked(model) };
    }),
  ];
}

type Told = Pick<ReportedModel, 'state' | 'error'>;

function toldOf(state: Exclude<Told['state'], 'failed'> | Trouble): Told {
  return typeof state === 'string' ? { state, error: null } : { state: 'failed', error: state };
}

/** Undefined: the engine does not have it yet. */
function loadedState(revision: string, { held, packs, failure }: Reporting) {
  const model = held.find((each) => each.revision === revision);
  const pack = packs.stateOf(revision);
  if (model?.state === 'warm') return 'warm';
  if (typeof pack === 'object') return pack;
  if (model?.state === 'failed') return loadTrouble(model.error ?? 'The model cannot be loaded.');
  if (failure !== null) return failure;
  return pack === 'disk' ? 'warming' : undefined;
}

function diskState(revision: string, { packs }: Reporting) {
  return packs.stateOf(revision) ?? 'fetching';
}
