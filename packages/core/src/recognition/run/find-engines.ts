import { embedsFaces, type ImageAnalyzer } from '../../analysis/image-analyzer.ts';
import type { DetectionTypes } from '../../detection-type.ts';
import { NoActiveModel } from '../../models/model-errors.ts';
import type { AnalyzerStatus } from '../../models/analyzer-status.ts';
import type { ModelRegistry } from '../../models/model-registry.ts';
import type { AnalyzedRun } from './analyze-image.ts';

/** The detectors that a request asks for, and whether it names a face. */
export interface RequestedDetectors {
  readonly types: DetectionTypes;
  readonly namesFace: boolean;
}

/** The detectors that a run uses. */
export interface Engines {
  readonly faces: boolean;
  readonly objects: boolean;
  /** Whether the faces get embeddings. */
  readonly embeds: boolean;
}

/** The analyzer, and the cache by which it knows the active models. */
export interface FindEnginesDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: Pick<ModelRegistry, 'forget'>;
}

/**
 * Selects the requested detectors that have an active model. The cached models may miss a switch of
 * the last two seconds, so they are read again before a request is refused.
 *
 * @throws NoActiveModel if no model is active, or none that the request requires; the errors of
 *   {@link ImageAnalyzer.status}
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

/** @returns what is missing, as one sentence; null if the request can be answered */
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
 * Checks that the required models answered: one may have been unloaded since the analyzer reported
 * its status.
 *
 * @throws NoActiveModel
 */
export function requireAnswered(
  { faces, objects }: Pick<AnalyzedRun, 'faces' | 'objects'>,
  { types, namesFace }: RequestedDetectors,
): void {
  const isFaceMissing = faces === null && (types === 'faces' || namesFace);
  if (isFaceMissing || (faces === null && objects === null)) {
    throw new NoActiveModel('The model that is needed is not active any more.');
  }
}
