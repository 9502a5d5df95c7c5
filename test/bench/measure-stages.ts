import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import type { StageTiming } from '@sightline/engine/analyze-image';
import { createEngine, type Engine } from '@sightline/engine/engine';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import type { Photo } from './photos.ts';
import { median, percentile } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

const RENDITIONS = {
  source: { maxSize: 1920, quality: 85 },
  crops: { padding: 0.2, quality: 75 },
};

/** All stages, in the order in which an image passes them. */
const STAGES = [
  'decode',
  'detect faces',
  'align',
  'embed',
  'attributes',
  'detect objects',
  'encode',
  'whole image',
] as const;

type StageName = (typeof STAGES)[number];

/** The time of a stage per image, in milliseconds. */
interface StageTimes {
  readonly median: number;
  readonly p95: number;
}

export interface StageFigures {
  readonly stage: StageName;
  /** The times in the order of the clocks; null if the models do not have this stage. */
  readonly times: readonly (StageTimes | null)[];
}

/** An engine with one worker that measures the times of its stages. */
export class StageClock implements AsyncDisposable {
  readonly engine: Engine;
  readonly #timings: StageTiming[];
  readonly #objectModel: string | undefined;

  private constructor(engine: Engine, timings: StageTiming[], { object }: SelectedPacks) {
    this.engine = engine;
    this.#timings = timings;
    this.#objectModel = object?.manifest.name;
  }

  static async open(models: SelectedPacks): Promise<StageClock> {
    const timings: StageTiming[] = [];
    const engine = await createEngine({
      ...models,
      provider: 'cpu',
      workers: 1,
      queueLimit: 0,
      limits: DEFAULT_IMAGE_LIMITS,
      observer: {
        stageTimed: (timing) => timings.push(timing),
        analysisRefused: () => undefined,
        jobStarted: () => undefined,
        jobRefused: () => undefined,
        workerLost: () => undefined,
      },
    });
    return new StageClock(engine, timings, models);
  }

  /**
   * Runs the full analysis: faces with embeddings, objects, the stored JPEG and the crops.
   *
   * @returns milliseconds by stage, photo by photo
   */
  async pass(photos: readonly Photo[]): Promise<[StageName, number][]> {
    this.#timings.length = 0;
    const whole: [StageName, number][] = [];
    for (const { bytes } of photos) {
      const image = bytes.slice();
      const start = performance.now();
      await this.engine.analyze({
        image,
        renditions: RENDITIONS,
        ...WORKLOADS.verify.analysis,
        ...WORKLOADS.objects.analysis,
      });
      whole.push(['whole image', performance.now() - start]);
    }
    const stages = this.#timings.map((timing): [StageName, number] => [
      this.#nameOf(timing),
      timing.milliseconds,
    ]);
    return [...stages, ...whole];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
  }

  #nameOf({ stage, model }: StageTiming): StageName {
    if (stage !== 'detect') return stage;
    return model === this.#objectModel ? 'detect objects' : 'detect faces';
  }
}

/** The clocks take turns after each pass, so that changes of the machine's speed affect all of them. */
export async function measureStages(
  clocks: readonly StageClock[],
  photos: readonly Photo[],
  rounds: number,
): Promise<StageFigures[]> {
  const timings: [StageName, number][][] = clocks.map(() => []);
  for (const clock of clocks) await clock.pass(photos);
  for (let round = 0; round < rounds; round++) {
    for (const [index, clock] of clocks.entries()) {
      timings[index]!.push(...(await clock.pass(photos)));
    }
  }
  return STAGES.map((stage) => ({
    stage,
    times: timings.map((own) => timesOf(own.filter(([name]) => name === stage))),
  })).filter(({ times }) => times.some((own) => own !== null));
}

function timesOf(timings: readonly (readonly [StageName, number])[]): StageTimes | null {
  if (timings.length === 0) return null;
  const milliseconds = timings.map(([, value]) => value);
  return { median: median(milliseconds), p95: percentile(milliseconds, 0.95) };
}
