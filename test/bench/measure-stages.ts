import type { StageTiming } from '@sightline/engine/analyze-image';
import { createEngine, type Engine } from '@sightline/engine/engine';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import type { Photo } from './photos.ts';
import { median, percentile } from './statistics.ts';
import { WORKLOADS } from './workloads.ts';

const RENDITIONS = {
  source: { maxSize: 1920, quality: 85 },
  crops: { padding: 0.2, quality: 75 },
};

/** How long a stage took per image, in milliseconds. */
export interface StageFigures {
  /** The stage and, where it belongs to one, its model. */
  readonly stage: string;
  readonly median: number;
  readonly p95: number;
}

/** An engine with one worker that tells how long its stages take. */
export class StageClock implements AsyncDisposable {
  readonly engine: Engine;
  readonly #timings: StageTiming[];

  private constructor(engine: Engine, timings: StageTiming[]) {
    this.engine = engine;
    this.#timings = timings;
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
        workerLost: () => undefined,
      },
    });
    return new StageClock(engine, timings);
  }

  /** Everything at once: faces with embeddings, objects, the stored JPEG and the crops. */
  async measure(photos: readonly Photo[], rounds: number): Promise<StageFigures[]> {
    await this.#pass(photos);
    this.#timings.length = 0;
    const whole: number[] = [];
    for (let round = 0; round < rounds; round++) whole.push(...(await this.#pass(photos)));
    const byStage = Map.groupBy(this.#timings, ({ stage, model }) =>
      model === null ? stage : `${stage} (${model})`,
    );
    return [
      ...[...byStage].map(([stage, timings]) =>
        figuresOf(
          stage,
          timings.map(({ milliseconds }) => milliseconds),
        ),
      ),
      figuresOf('whole image', whole),
    ];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.engine.close();
  }

  async #pass(photos: readonly Photo[]): Promise<number[]> {
    const milliseconds: number[] = [];
    for (const { bytes } of photos) {
      const image = bytes.slice();
      const start = performance.now();
      await this.engine.analyze({
        ...{ image, renditions: RENDITIONS },
        ...WORKLOADS.verify.analysis,
        ...WORKLOADS.objects.analysis,
      });
      milliseconds.push(performance.now() - start);
    }
    return milliseconds;
  }
}

function figuresOf(stage: string, milliseconds: readonly number[]): StageFigures {
  return { stage, median: median(milliseconds), p95: percentile(milliseconds, 0.95) };
}
