import { embedsFaces, type ImageAnalyzer } from '../../analysis/image-analyzer.ts';
import { NoActiveModel } from '../../models/model-errors.ts';
import type { DetectionTypes } from '../../detection-type.ts';
import type { AnalyzedRun } from './analyze-image.ts';

/** The detectors that a request asks for, and whether it names a face. */
export interface WantedDetectors {
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

/**
 * Of the wanted detectors those that have an active model.
 *
 * @throws NoActiveModel if there is none, or none for what is needed; the errors of
 *   {@link ImageAnalyzer.status}
 */
export async function findEngines(
  analyzer: ImageAnalyzer,
  wanted: WantedDetectors,
  signal?: AbortSignal,
): Promise<Engines> {
  const { types } = wanted;
  const { models } = await analyzer.status(signal);
  const active = {
    faces: models.some(({ task }) => task === 'face'),
    objects: models.some(({ task }) => task !== 'face'),
  };
  requireActive(active, wanted);
  const faces = types !== 'objects' && active.faces;
  return {
    faces,
    objects: types !== 'faces' && active.objects,
    embeds: faces && embedsFaces({ models }),
  };
}

/** @throws NoActiveModel */
function requireActive(
  { faces, objects }: Pick<Engines, 'faces' | 'objects'>,
  { types, namesFace }: WantedDetectors,
): void {
  const needsFaces = types === 'faces' || namesFace;
  if (needsFaces && !faces) throw new NoActiveModel('No face model is active.');
  if (types === 'objects' && !objects) throw new NoActiveModel('No object model is active.');
  if (!faces && !objects) throw new NoActiveModel('No model is active.');
}

/**
 * A model may have been unloaded since the analyzer reported its status.
 *
 * @throws NoActiveModel
 */
export function requireAnswered(
  { analysis }: Pick<AnalyzedRun, 'analysis'>,
  { types, namesFace }: WantedDetectors,
): void {
  const { faces, objects } = analysis;
  const isFaceMissing = faces === null && (types === 'faces' || namesFace);
  if (isFaceMissing || (faces === null && objects === null)) {
    throw new NoActiveModel('The model that is needed is not active any more.');
  }
}
