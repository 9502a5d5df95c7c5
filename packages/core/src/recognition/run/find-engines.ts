import { embedsFaces, type ImageAnalyzer } from '../../analysis/image-analyzer.ts';
import type { DetectionTypes } from '../../detection-type.ts';
import { NoActiveModel } from '../../models/model-errors.ts';
import type { AnalyzerStatus } from '../../models/analyzer-status.ts';
import type { ModelRegistry } from '../../models/model-registry.ts';
import type { AnalyzedRun } from './analyze-image.ts';

export interface RequestedDetectors {
  readonly types: DetectionTypes;
  /** Whether the request gives a face an identity. */
  readonly namesFace: boolean;
}

export interface Engines {
  readonly faces: boolean;
  readonly objects: boolean;
  /** Whether the face model computes embeddings. */
  readonly embeds: boolean;
}

export interface FindEnginesDeps {
  readonly analyzer: ImageAnalyzer;
  /** The cache of the active models, which the analyzer reads. */
  readonly models: Pick<ModelRegistry, 'forget'>;
}

/**
 * Selects the requested detectors that have an active model. The cache may miss a switch of the last two seconds, so
 * the models are read again before the request is rejected.
 *
 * @throws NoActiveModel if no model is active, or a required one is not; the errors of {@link ImageAnalyzer.status}
 */
export async function findEngines(
  { analyzer, models }: FindEnginesDeps,
  requested: RequestedDetectors,
  signal?: AbortSignal,
): Promise<Engines> {
  const cached = await analyzer.status(signal);
  if (missingModel(cached, requested) === null) return enginesOf(cached, requested);
  models.forget();
  const status = await analyzer.status(signal);
  const missing = missingModel(status, requested);
  if (missing !== null) throw new NoActiveModel(missing);
  return enginesOf(status, requested);
}

type Status = Pick<AnalyzerStatus, 'models'>;

/** Whether a face model and an object model are active. */
export function activeTasks({ models }: Status): Pick<Engines, 'faces' | 'objects'> {
  return {
    faces: models.some(({ task }) => task === 'face'),
    objects: models.some(({ task }) => task !== 'face'),
  };
}

/** @returns a sentence about the missing model; null if no required model is missing */
function missingModel(status: Status, { types, namesFace }: RequestedDetectors): string | null {
  const { faces, objects } = activeTasks(status);
  const needsFaces = types === 'faces' || namesFace;
  if (needsFaces && !faces) return 'No face model is active.';
  if (types === 'objects' && !objects) return 'No object model is active.';
  return faces || objects ? null : 'No model is active.';
}

function enginesOf(status: Status, { types }: RequestedDetectors): Engines {
  const active = activeTasks(status);
  const faces = types !== 'objects' && active.faces;
  return {
    faces,
    objects: types !== 'faces' && active.objects,
    embeds: faces && embedsFaces(status),
  };
}

/**
 * Checks that the required models served the request. A model may have been unloaded since {@link findEngines}.
 *
 * @throws NoActiveModel
 */
export function requireAnswered(
  { faces, objects }: Pick<AnalyzedRun, 'faces' | 'objects'>,
  { types, namesFace }: RequestedDetectors,
): void {
  const isFaceMissing = faces === null && (types === 'faces' || namesFace);
  if (isFaceMissing || (faces === null && objects === null)) {
    throw new NoActiveModel('A model that the request needs is no longer active.');
  }
}
