import type { ActiveModel } from '@sightline/core/models/model';
import { findComponent, type ModelPack } from './manifest.ts';

export function describePack({ manifest, revision }: ModelPack): ActiveModel {
  const detector =
    findComponent(manifest, 'ObjectDetector') ?? findComponent(manifest, 'OpenVocabularyDetector');
  return {
    name: manifest.name,
    task: manifest.task,
    version: manifest.version,
    revision,
    license: manifest.license,
    commercialUse: manifest.commercial_use,
    commercialUseReason: manifest.commercial_use_reason ?? null,
    provides: manifest.provides,
    embeddingDim: findComponent(manifest, 'FaceRecognizer')?.embedding_dim ?? null,
    classes: detector?.classes ?? [],
    similarityCalibration: manifest.similarity_calibration ?? null,
  };
}
