import { readFile } from 'node:fs/promises';
import type { AnalyzedFace, AnalyzedObject } from '@sightline/core/analysis/image-analyzer';
import { effectiveSettings } from '@sightline/core/settings/effective-settings';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createEngine, type Engine } from '@sightline/engine/engine';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { shared } from '../support/fixtures/shared.ts';

const { faceDetectionThreshold, objectConfidenceThreshold } = effectiveSettings(new Map());

/** Analyzes shared photos with one pack and the service's defaults, each photo once. */
export class PhotoAnalyst implements AsyncDisposable {
  readonly #engine: Engine;
  readonly #faces = new Map<string, Promise<readonly AnalyzedFace[]>>();

  private constructor(engine: Engine) {
    this.#engine = engine;
  }

  static async open(pack: ModelPack): Promise<PhotoAnalyst> {
    const isFacePack = pack.manifest.task === 'face';
    const ignore = () => undefined;
    const engine = await createEngine({
      face: isFacePack ? pack : null,
      object: isFacePack ? null : pack,
      provider: 'cpu',
      workers: 1,
      queueLimit: 0,
      limits: DEFAULT_IMAGE_LIMITS,
      observer: {
        stageTimed: ignore,
        analysisRefused: ignore,
        jobStarted: ignore,
        jobRefused: ignore,
        workerLost: ignore,
      },
    });
    return new PhotoAnalyst(engine);
  }

  /** @param path the path in the folder of the shared photos */
  faces(path: string): Promise<readonly AnalyzedFace[]> {
    const known = this.#faces.get(path);
    if (known !== undefined) return known;
    const found = this.#findFaces(path);
    this.#faces.set(path, found);
    return found;
  }

  /** @param path the path in the folder of the shared photos */
  async objects(path: string): Promise<readonly AnalyzedObject[]> {
    const { objects } = await this.#engine.analyze({
      image: await readPhoto(path),
      objects: { confidenceThreshold: objectConfidenceThreshold, classFilter: [] },
    });
    return objects!.items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
  }

  async #findFaces(path: string): Promise<readonly AnalyzedFace[]> {
    const { faces } = await this.#engine.analyze({
      image: await readPhoto(path),
      faces: {
        detectionThreshold: faceDetectionThreshold,
        embed: true,
        attributes: true,
        fullFramePass: true,
      },
    });
    return faces!.items;
  }
}

async function readPhoto(path: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(shared('photos', path)));
}
