import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type {
  AnalysisRequest,
  AnalyzedFace,
  AnalyzedObject,
  EmbeddedRegion,
  FaceAnalysisOptions,
  FaceRegion,
  ImageAnalysis,
  JpegRendition,
  ObjectAnalysisOptions,
  RenditionOptions,
} from '@sightline/core/analysis/image-analyzer';
import type { ActiveModel } from '@sightline/core/models/model';
import type { ImageFormat } from '@sightline/core/sources/image-format';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { decodeImage } from './image/decode-image.ts';
import { readExifTime } from './image/exif-time.ts';
import { findExif } from './image/find-exif.ts';
import type { PixelBudget } from './image/pixel-budget.ts';
import type { Raster } from './image/raster.ts';
import { encodeCrop, encodeSource } from './image/renditions.ts';
import { type Stage, type StageObserver, timed } from './stage.ts';

interface Active<Pipeline> {
  readonly model: ActiveModel;
  readonly pipeline: Pipeline;
}

interface Finder<Item, Options> {
  analyze(raster: Raster, options: Options, observe: StageObserver): Promise<Item[]>;
}

interface RegionEmbedder {
  /** Returns null if the model makes no embeddings. */
  embedRegions(
    raster: Raster,
    regions: readonly FaceRegion[],
    observe: StageObserver,
  ): Promise<EmbeddedRegion[] | null>;
}

export interface AnalyzeImageDeps {
  /** `faces` and `objects` are null if the task has no active model. */
  readonly faces: Active<
    Finder<Omit<AnalyzedFace, 'crop'>, FaceAnalysisOptions> & RegionEmbedder
  > | null;
  readonly objects: Active<Finder<Omit<AnalyzedObject, 'crop'>, ObjectAnalysisOptions>> | null;
  readonly limits: ImageLimits;
  readonly budget: PixelBudget;
}

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
 * Decodes an image once and runs all requested pipelines on its pixels. An abort takes effect
 * between two stages; the networks check for one before each of their runs.
 *
 * @throws UnsupportedFormat, ImageTooLarge or ImageCorrupt; on abort, the signal's reason
 */
export async function analyzeImage(
  deps: AnalyzeImageDeps,
  request: AnalysisRequest,
  progress: AnalysisProgress,
): Promise<ImageAnalysis> {
  const { limits, budget } = deps;
  using image = await timed(observerOf(null, progress), 'decode', () =>
    decodeImage(request.image, { limits, budget, signal: progress.signal }),
  );
  const { format, raster } = image;
  const { faces: faceOptions, faceRegions: regions = [], objects: objectOptions } = request;
  const faces =
    faceOptions === undefined
      ? null
      : await runTask(deps.faces, progress, (pipeline, observe) =>
          pipeline.analyze(raster, faceOptions, observe),
        );
  const faceRegions =
    regions.length === 0
      ? null
      : await runTask(deps.faces, progress, (pipeline, observe) =>
          pipeline.embedRegions(raster, regions, observe),
        );
  const objects =
    objectOptions === undefined
      ? null
      : await runTask(deps.objects, progress, (pipeline, observe) =>
          pipeline.analyze(raster, objectOptions, observe),
        );
  return {
    image: {
      format,
      width: raster.width,
      height: raster.height,
      takenAt: takenAtOf(format, request.image),
    },
    faceRegions,
    ...(await withRenditions({ raster, faces, objects }, request.renditions, progress)),
  };
}

/** Returns when the image was taken, if its EXIF data says so. */
function takenAtOf(format: ImageFormat, bytes: Uint8Array): Date | null {
  const exif = findExif(format, bytes);
  return exif && readExifTime(exif);
}

interface Found<Item> {
  readonly model: ActiveModel;
  readonly items: readonly Item[];
}

/** Runs one task's pipeline. Returns null if no model is active or if the pipeline returns null. */
async function runTask<Pipeline, Item>(
  active: Active<Pipeline> | null,
  progress: AnalysisProgress,
  run: (pipeline: Pipeline, observe: StageObserver) => Promise<readonly Item[] | null>,
): Promise<Found<Item> | null> {
  if (active === null) return null;
  const { model, pipeline } = active;
  await checkAbort(progress.signal);
  const items = await run(pipeline, observerOf(model.name, progress));
  return items && { model, items };
}

interface PipelineResults {
  readonly raster: Raster;
  readonly faces: Found<Omit<AnalyzedFace, 'crop'>> | null;
  readonly objects: Found<Omit<AnalyzedObject, 'crop'>> | null;
}

async function withRenditions(
  { raster, faces, objects }: PipelineResults,
  options: RenditionOptions | undefined,
  progress: AnalysisProgress,
): Promise<Pick<ImageAnalysis, 'faces' | 'objects' | 'source' | 'boxCrops'>> {
  const none = () => Promise.resolve(null);
  if (options === undefined) {
    return {
      faces: await cropped(faces, none),
      objects: await cropped(objects, none),
      source: null,
      boxCrops: [],
    };
  }
  await checkAbort(progress.signal);
  return timed(observerOf(null, progress), 'encode', async () => {
    const cut = (box: BoundingBox) => encodeCrop(raster, box, options.crops);
    const [source, croppedFaces, croppedObjects, boxCrops] = await allEnded([
      options.source === undefined ? none() : encodeSource(raster, options.source),
      cropped(faces, cut),
      cropped(objects, cut),
      allEnded((options.boxes ?? []).map(cut)),
    ]);
    return { faces: croppedFaces, objects: croppedObjects, source, boxCrops };
  });
}

async function cropped<Item extends { readonly bbox: BoundingBox }>(
  found: Found<Item> | null,
  cut: (box: BoundingBox) => Promise<JpegRendition | null>,
): Promise<Found<Item & { readonly crop: JpegRendition | null }> | null> {
  if (found === null) return null;
  const items = await allEnded(
    found.items.map(async (item) => ({ ...item, crop: await cut(item.bbox) })),
  );
  return { model: found.model, items };
}

/**
 * Works like Promise.all, but waits until no promise is pending before it rejects. The caller frees
 * the pixels on rejection, and an encoder that still reads them would crash the process.
 */
async function allEnded<const T extends readonly unknown[]>(pending: T) {
  await Promise.allSettled(pending);
  return Promise.all(pending);
}

/**
 * Throws if the analysis was aborted. Waits for the next turn of the event loop first, because the worker thread
 * learns of an abort by a message, which it receives only between two turns.
 */
async function checkAbort(signal: AbortSignal): Promise<void> {
  await nextTurn();
  signal.throwIfAborted();
}

function observerOf(model: string | null, { signal, onStage }: AnalysisProgress): StageObserver {
  return (stage, milliseconds) => {
    onStage({ stage, model, milliseconds });
    // Every stage reports its end through this function, so an abort between two stages needs only
    // this check.
    signal.throwIfAborted();
  };
}
