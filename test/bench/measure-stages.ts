import type { StageTiming } from '@sightline/engine/analyze-image';
import type { Engine } from '@sightline/engine/engine';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import type { Bench, Measured } from './bench.ts';
import { markdownTable } from './markdown-table.ts';
import { openEngine } from './open-engine.ts';
import type { Photo } from './photos.ts';
import { median, percentile, timed } from './statistics.ts';
import type { Subject } from './subjects.ts';
import { RENDITIONS, WORKLOADS } from './workloads.ts';

/** The stages in the order in which an image passes them. */
const STAGES = [
  'decode',
  'detect faces',
  'align',
  'embed',
  'attributes',
  'detect objects',
  'encode',
  'whole image',
];

export async function measureStages(bench: Bench): Promise<Measured> {
  const { small, large } = await bench.photos();
  const subjects = await bench.subjects();
  await using clocks = new AsyncDisposableStack();
  const opened: StageClock[] = [];
  for (const { models } of subjects) opened.push(clocks.use(await StageClock.open(models)));
  const text = `## Stages

Milliseconds per image with one worker thread that does everything: faces with embeddings and attributes,
objects, the stored JPEG and the crops. Attributes are timed if the model has them. The models take turns,
pass by pass.

${small.length} photos of people under one megapixel:

${stageTable(subjects, await timeStages(opened, small, bench.rounds))}

One photo of ${large.megapixels.toFixed(1)} megapixels:

${stageTable(subjects, await timeStages(opened, [large], 3 * bench.rounds))}`;
  return { text };
}

function stageTable(subjects: readonly Subject[], times: readonly Map<string, number[]>[]): string {
  const cells = (stage: string) =>
    times.flatMap((own) => {
      const values = own.get(stage);
      return values === undefined
        ? ['', '']
        : [median(values).toFixed(1), percentile(values, 0.95).toFixed(1)];
    });
  return markdownTable(
    ['stage', ...subjects.flatMap(({ name }) => [`${name}: median`, 'p95'])],
    STAGES.filter((stage) => times.some((own) => own.has(stage))).map((stage) => [
      stage,
      ...cells(stage),
    ]),
  );
}

/** @returns for each clock the milliseconds of its images, by stage */
async function timeStages(
  clocks: readonly StageClock[],
  photos: readonly Photo[],
  rounds: number,
): Promise<readonly Map<string, number[]>[]> {
  for (const clock of clocks) await clock.pass(photos);
  for (const { times } of clocks) times.clear();
  for (let round = 0; round < rounds; round++) {
    for (const clock of clocks) await clock.pass(photos);
  }
  return clocks.map(({ times }) => new Map(times));
}

/** An engine with one worker that times its stages. */
class StageClock implements AsyncDisposable {
  readonly times = new Map<string, number[]>();
  readonly #models: SelectedPacks;
  #engine!: Engine;

  private constructor(models: SelectedPacks) {
    this.#models = models;
  }

  static async open(models: SelectedPacks): Promise<StageClock> {
    const clock = new StageClock(models);
    clock.#engine = await openEngine(models, 1, (timing) => clock.#note(timing));
    return clock;
  }

  async pass(photos: readonly Photo[]): Promise<void> {
    for (const { bytes } of photos) {
      const request = {
        image: bytes.slice(),
        renditions: RENDITIONS,
        ...WORKLOADS.verify.analysis,
        ...WORKLOADS.objects.analysis,
      };
      this.#add('whole image', await timed(() => this.#engine.analyze(request)));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
  }

  #note({ stage, model, milliseconds }: StageTiming): void {
    const isObjects = model === this.#models.object?.manifest.name;
    const kind = isObjects ? 'objects' : 'faces';
    this.#add(stage === 'detect' ? `detect ${kind}` : stage, milliseconds);
  }

  #add(stage: string, milliseconds: number): void {
    const values = this.times.get(stage) ?? [];
    this.times.set(stage, [...values, milliseconds]);
  }
}
