import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BoundingBox } from '@sightline/core/detections/geometry';
import type {
  AnalysisRequest,
  AnalyzedFace,
  AnalyzedObject,
  FaceAnalysisOptions,
  ImageAnalysis,
  JpegRendition,
  ObjectAnalysisOptions,
  RenditionOptions,
} from '@sightline/core/detections/image-analyzer';
import type { ActiveModel } from '@sightline/core/models/model';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { decodeImage } from './image/decode-image.ts';
import type { PixelBudget } from './image/pixel-budget.ts';
import type { Raster } from './image/raster.ts';
import { encodeCrop, encodeSource } from './image/renditions.ts';
import type { Stage, StageObserver } from './stage.ts';

/** A pipeline that finds the things of one task, and the model that its answers name. */
export interface ActivePipeline<Item, Options> {
  readonly model: ActiveModel;
  readonly pipeline: {
    analyze(raster: Raster, options: Options, observe: StageObserver): Promise<Item[]>;
  };
}

export interface AnalyzeImageDeps {
  /** Null: no active model. */
  readonly faces: ActivePipeline<Omit<AnalyzedFace, 'crop'>, FaceAnalysisOptions> | null;
  readonly objects: ActivePipeline<Omit<AnalyzedObject, 'crop'>, ObjectAnalysisOptions> | null;
  readonly limits: ImageLimits;
  readonly budget: PixelBudget;
}

/** How long a step took; `model` is the name of the one that took it, null for decode and encode. */
export interface StageTiming {
  readonly stage: Stage;
  readonly model: string | null;
  readonly milliseconds: number;
}

export interface AnalysisProgress {
  readonly signal: AbortSignal;
  readonly onStage: (timing: StageTiming) => void;
}

/**
 * Decodes an image once and hands its pixels to everything that needs them. An abort takes effect
 * between two stages.
 *
 * @throws UnsupportedFormat, ImageTooLarge, ImageCorrupt; the signal's reason on abort
 */
export async function analyzeImage(
  deps: AnalyzeImageDeps,
  request: AnalysisRequest,
  progress: AnalysisProgress,
): Promise<ImageAnalysis> {
  const { limits, budget } = deps;
  using image = await timed(progress, 'decode', () =>
    decodeImage(request.image, { limits, budget, signal: progress.signal }),
  );
  const { format, raster } = image;
  const faces = await find(deps.faces, request.faces, { raster, progress });
  const objects = await find(deps.objects, request.objects, { raster, progress });
  return {
    image: { format, width: raster.width, height: raster.height },
    ...(await withRenditions({ raster, faces, objects }, request.renditions, progress)),
  };
}

interface Found<Item> {
  readonly model: ActiveModel;
  readonly items: readonly Item[];
}

async function find<Item, Options>(
  active: ActivePipeline<Item, Options> | null,
  options: Options | undefined,
  { raster, progress }: { readonly raster: Raster; readonly progress: AnalysisProgress },
): Promise<Found<Item> | null> {
  if (active === null || options === undefined) return null;
  const { model, pipeline } = active;
  await checkAbort(progress.signal);
  const items = await pipeline.analyze(raster, options, (stage, milliseconds) => {
    progress.onStage({ stage, model: model.name, milliseconds });
    // A pipeline tells the end of each of its stages here: the one place to leave it between two.
    progress.signal.throwIfAborted();
  });
  return { model, items };
}

interface Pictured {
  readonly raster: Raster;
  readonly faces: Found<Omit<AnalyzedFace, 'crop'>> | null;
  readonly objects: Found<Omit<AnalyzedObject, 'crop'>> | null;
}

async function withRenditions(
  { raster, faces, objects }: Pictured,
  options: RenditionOptions | undefined,
  progress: AnalysisProgress,
): Promise<Pick<ImageAnalysis, 'faces' | 'objects' | 'source'>> {
  if (options === undefined) {
    const none = () => Promise.resolve(null);
    return {
      faces: await cropped(faces, none),
      objects: await cropped(objects, none),
      source: null,
    };
  }
  await checkAbort(progress.signal);
  return timed(progress, 'encode', async () => {
    const cut = (box: BoundingBox) => encodeCrop(raster, box, options.crops);
    // Encoders run on libuv's threads: together they take less time than one after the other.
    const [source, croppedFaces, croppedObjects] = await Promise.all([
      encodeSource(raster, options.source),
      cropped(faces, cut),
      cropped(objects, cut),
    ]);
    return { faces: croppedFaces, objects: croppedObjects, source };
  });
}

async function cropped<Item extends { readonly bbox: BoundingBox }>(
  found: Found<Item> | null,
  cut: (box: BoundingBox) => Promise<JpegRendition | null>,
): Promise<Found<Item & { readonly crop: JpegRendition | null }> | null> {
  if (found === null) return null;
  const items = await Promise.all(
    found.items.map(async (item) => ({ ...item, crop: await cut(item.bbox) })),
  );
  return { model: found.model, items };
}

/** A cancellation comes as a message, and those are received between two turns of the event loop. */
async function checkAbort(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

async function timed<T>(
  progress: AnalysisProgress,
  stage: Stage,
  work: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  const result = await work();
  progress.onStage({ stage, model: null, milliseconds: performance.now() - start });
  return result;
}
