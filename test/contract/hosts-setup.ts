import type { NamedModels, ReportedModel } from '@sightline/core/models/analyzer-status';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createEngine, type Engine } from '@sightline/engine/engine';
import { describePack } from '@sightline/engine/packs/describe-pack';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { TOY_PACKS, writeOtherToyFaces, writeToyPacks } from '../support/fixtures/toy-packs.ts';

const IGNORE = () => undefined;

/** Three packs in a folder: two for faces, one for objects. */
export interface HostPacks extends AsyncDisposable {
  readonly faces: ModelPack;
  readonly otherFaces: ModelPack;
  readonly objects: ModelPack;
  /** Changes a byte of a file of the pack of other faces. @returns the function that restores it */
  damage(): Promise<() => Promise<void>>;
}

/** A host of two workers that has started with the first face model and the objects, behind an adapter. */
export interface OpenHosts extends AsyncDisposable {
  readonly hosts: ModelHosts;
  readonly analyzer: ImageAnalyzer;
}

export type OpenHostsWith = (packs: HostPacks) => Promise<OpenHosts>;

export async function writeHostPacks(): Promise<HostPacks> {
  await using writing = new AsyncDisposableStack();
  const { path } = writing.use(await temporaryFolder());
  await writeToyPacks(path);
  await writeOtherToyFaces(path, 'other-faces');
  const { packs } = await discoverPacks(path);
  const named = (name: string) => packs.find(({ manifest }) => manifest.name === name)!;
  const file = join(path, 'other-faces', 'recognizer.onnx');
  const written = writing.move();
  return {
    faces: named(TOY_PACKS.face),
    otherFaces: named('other-faces'),
    objects: named(TOY_PACKS.object),
    async damage() {
      const bytes = await readFile(file);
      await writeFile(file, Buffer.concat([bytes, Buffer.of(0)]));
      return () => writeFile(file, bytes);
    },
    [Symbol.asyncDispose]: () => written.disposeAsync(),
  };
}

/** An engine of two workers with the first face model and the objects, or other models; it finds all packs. */
export function openHostEngine(
  { faces, otherFaces, objects }: HostPacks,
  first: SelectedPacks = { face: faces, object: objects },
): Promise<Engine> {
  const known = [faces, otherFaces, objects];
  return createEngine({
    ...first,
    provider: 'cpu',
    workers: 2,
    queueLimit: 1_000,
    limits: DEFAULT_IMAGE_LIMITS,
    source: {
      found: known.map(describePack),
      find: (revision) => Promise.resolve(known.find((pack) => pack.revision === revision) ?? null),
    },
    observer: {
      jobStarted: IGNORE,
      jobRefused: IGNORE,
      workerLost: IGNORE,
      stageTimed: IGNORE,
      analysisRefused: IGNORE,
    },
  });
}

/** The desired models of all these sets, without repetitions. */
export function desiredOf(...sets: readonly NamedModels[]): DesiredModels {
  const named = sets.flatMap(({ face, object }) => [
    { task: 'face', revision: face } as const,
    { task: 'object', revision: object } as const,
  ]);
  const byRevision = new Map(named.map((model) => [model.revision, model]));
  const models = [...byRevision.values()].flatMap(({ task, revision }) =>
    revision === undefined ? [] : [{ task, revision, keep: 'loaded' } as const],
  );
  return { provider: 'auto', models };
}

/** The report of the only host once it fulfills a condition; otherwise the test times out. */
export async function reportOnce(
  hosts: ModelHosts,
  condition: (report: readonly ReportedModel[]) => boolean,
): Promise<readonly ReportedModel[]> {
  const { signal } = new AbortController();
  for (;;) {
    const [status] = await hosts.statuses(signal);
    const report = status?.report ?? [];
    if (condition(report)) return report;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Records the threads that start, until disposal. */
export function noteThreads(): { readonly threads: readonly Worker[] } & Disposable {
  const threads: Worker[] = [];
  const note = (message: unknown) => void threads.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', note);
  return { threads, [Symbol.dispose]: () => void unsubscribe('worker_threads', note) };
}
