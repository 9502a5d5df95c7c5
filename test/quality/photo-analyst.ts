import { readFile } from 'node:fs/promises';
import type {
  AnalyzedFace,
  AnalyzedObject,
  QuarterTurn,
} from '@sightline/core/analysis/image-analyzer';
import { effectiveSettings } from '@sightline/core/settings/effective-settings';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createEngine, type Engine } from '@sightline/engine/engine';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { shared } from '../support/fixtures/shared.ts';
import { boxInUpright, turnPhoto } from './turn-photo.ts';

const { faceDetectionThreshold, objectConfidenceThreshold } = effectiveSettings(new Map());
/** Turned photos are stored without loss, and have more bytes than a client may send. */
const LIMITS = { ...DEFAULT_IMAGE_LIMITS, maxBytes: 8 * DEFAULT_IMAGE_LIMITS.maxBytes };

/** Analyzes shared photos with one pack and the service's defaults, each photo once in each turn. */
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
      limits: LIMITS,
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
    return this.#once(path, async () => this.#findFaces(await readPhoto(path)));
  }

  /**
   * Finds the faces of a photo that is turned clockwise.
   *
   * @param path the path in the folder of the shared photos
   * @returns the faces with their boxes in the upright photo
   */
  turnedFaces(path: string, turn: QuarterTurn): Promise<readonly AnalyzedFace[]> {
    return this.#once(`${path} ${turn}`, async () => {
      const { png, upright } = await turnPhoto(await readPhoto(path), turn);
      const faces = await this.#findFaces(png);
      return faces.map((face) => ({ ...face, bbox: boxInUpright(face.bbox, turn, upright) }));
    });
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

  #once(
    key: string,
    find: () => Promise<readonly AnalyzedFace[]>,
  ): Promise<readonly AnalyzedFace[]> {
    const known = this.#faces.get(key);
    if (known !== undefined) return known;
    const found = find();
    this.#faces.set(key, found);
    return found;
  }

  async #findFaces(image: Uint8Array): Promise<readonly AnalyzedFace[]> {
    const { faces } = await this.#engine.analyze({
      image,
      faces: {
        detectionThreshold: faceDetectionThreshold,
        embed: true,
        attributes: true,
        fullFramePass: true,
        upright: true,
      },
    });
    return faces!.items;
  }
}

async function readPhoto(path: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(shared('photos', path)));
}
