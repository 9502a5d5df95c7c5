import type { AnalysisRequest, ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import type { ActiveModel } from '@sightline/core/models/model';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { lowerThreadPriority } from '@sightline/platform/process/lower-thread-priority';
import { analyzeImage, type StageTiming } from '../analyze-image.ts';
import { PixelBudget } from '../image/pixel-budget.ts';
import type { SessionOptions } from '../onnx/session.ts';
import { describePack } from '../packs/describe-pack.ts';
import { openFacePack, openObjectPack } from '../packs/open-pack.ts';
import type { ModelContents } from '../packs/model-contents.ts';
import type { SelectedPacks } from '../packs/select-packs.ts';
import { transferableAnalysis } from './transferable-analysis.ts';
import { serveJobs } from './serve-jobs.ts';
import { WorkSharing } from './work-sharing.ts';

export interface AnalysisStart {
  readonly packs: SelectedPacks;
  /**
   * The files that the main thread has read and checked. The worker empties the map when the models
   * are loaded.
   */
  readonly contents: ModelContents;
  readonly session: SessionOptions;
  readonly limits: ImageLimits;
  readonly budget: { readonly memory: SharedArrayBuffer; readonly share: number };
  /** The memory in which the pool counts its idle workers. */
  readonly idleCount: SharedArrayBuffer;
}

export interface WorkerModels {
  readonly models: readonly ActiveModel[];
}

export interface AnalysisAnswer {
  readonly analysis: ImageAnalysis;
  readonly timings: readonly StageTiming[];
}

lowerThreadPriority();
await serveJobs<AnalysisStart, AnalysisRequest, AnalysisAnswer, WorkerModels>(
  async ({ packs, contents, session: options, limits, budget, idleCount }) => {
    const sharing = new WorkSharing(idleCount);
    const session = {
      ...options,
      contents,
      throwIfAborted: () => sharing.throwIfAborted(),
      // The workers of a GPU share it, so an idle worker has nothing to add.
      ...(options.provider === 'cpu' && { peersOf: (role: string) => sharing.peersOf(role) }),
    };
    const opened = new AsyncDisposableStack();
    const faces = packs.face && {
      model: describePack(packs.face),
      pipeline: opened.use(await openFacePack(packs.face, session)).pipeline,
    };
    const objects = packs.object && {
      model: describePack(packs.object),
      pipeline: opened.use(await openObjectPack(packs.object, session)).pipeline,
    };
    contents.clear();
    const deps = {
      faces,
      objects,
      limits,
      budget: new PixelBudget({ ...budget, limit: limits.maxPixelsInFlight }),
    };
    return {
      ready: { models: [faces, objects].flatMap((active) => active?.model ?? []) },
      async handle(request, context) {
        const { signal } = context;
        const timings: StageTiming[] = [];
        const onStage = (timing: StageTiming) => timings.push(timing);
        const { analysis, transfer } = transferableAnalysis(
          await sharing.during(context, () => analyzeImage(deps, request, { signal, onStage })),
        );
        return { result: { analysis, timings }, transfer };
      },
      help: (work, signal) => sharing.help(work, signal),
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  },
);
