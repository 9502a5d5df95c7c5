import { freePixels, type Raster } from '../image/raster.ts';
import { cutTile, isWithinTile, planTiles } from '../image/tiles.ts';
import { packFit } from '../kernels/pack-fit.ts';
import { shrinkImage } from '../kernels/shrink-image.ts';
import type { Fit } from '../math/fit.ts';
import { fitTightly } from '../math/letterbox.ts';
import { nonMaximumSuppression } from '../math/non-maximum-suppression.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { freeTensors } from '../onnx/free-tensors.ts';
import { InputBuffer } from '../onnx/input-buffer.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropAroundBox, placeAroundBox } from './crop-around-box.ts';
import {
  type FaceArchitecture,
  type FaceDetectionOptions,
  type Frame,
  type InputSizes,
  smallFrame,
} from './face-architecture.ts';
import type { Corners } from '../math/corners.ts';
import { type FaceCandidate, isPartOf, toOuterImage } from './face-candidate.ts';
import { SCRFD } from './scrfd-architecture.ts';
import { YUNET } from './yunet-architecture.ts';

const ARCHITECTURES = { scrfd: SCRFD, yunet: YUNET } as const;

/**
 * The maximum number of faces per image. Networks of these sizes cannot distinguish more in a
 * crowd, and each face costs an embedding and a crop.
 */
export const MAX_FACES = 500;
/**
 * The maximum number of candidates that suppression compares. Its cost grows with the square of their number, and a
 * threshold near 0 would accept every anchor.
 */
const MAX_CANDIDATES = 5_000;
/** The input side in pixels for the search around a given box. */
const CLOSE_UP_SIDE = 192;
const ORIGIN = { x: 0, y: 0 };
/** The minimum score of a candidate in which a turned face is searched for. Most tilted faces reach it. */
const MIN_CANDIDATE_SCORE = 0.2;
/** The maximum number of such candidates per image. */
const MAX_CANDIDATES_BELOW = 16;

export interface DetectorResult {
  readonly faces: readonly FaceCandidate[];
  /** Candidates with landmarks whose scores are too low for faces, but may be those of turned faces. */
  readonly candidates: readonly FaceCandidate[];
}

export interface FaceDetectorSpec {
  readonly architecture: keyof typeof ARCHITECTURES;
  readonly preprocess: PreprocessSpec;
  /** The input size if the graph accepts any size. Without this size, the architecture chooses. */
  readonly size?: Size | undefined;
  /**
   * `square`: the input keeps its size, even if the graph accepts any. By default it is cut to the image.
   */
  readonly letterbox?: 'square' | undefined;
  /** The score, 0..1, below which the network's detections are meaningless; default: 0. */
  readonly scoreFloor?: number | undefined;
}

export class FaceDetector {
  readonly #session: ModelSession;
  readonly #architecture: FaceArchitecture;
  readonly #preprocess: PreprocessSpec;
  readonly #sizes: InputSizes;
  /** The number of pixels of which the sides of a cut input are multiples; null if the input is not cut. */
  readonly #step: number | null;
  readonly #scoreFloor: number;
  readonly #input = new InputBuffer();

  constructor(session: ModelSession, spec: FaceDetectorSpec) {
    this.#session = session;
    this.#architecture = ARCHITECTURES[spec.architecture];
    this.#preprocess = spec.preprocess;
    this.#scoreFloor = spec.scoreFloor ?? 0;
    const [, , height = null, width = null] = session.inputs[0]!.dims;
    const fixed = height === null || width === null ? null : { width, height };
    this.#sizes = { fixed, preferred: spec.size ?? null };
    const isCut = fixed === null && spec.letterbox !== 'square';
    this.#step = isCut ? this.#architecture.step(session.outputs.length) : null;
  }

  /**
   * Searches the image, and then its tiles if it is long or large; see {@link planTiles}. One suppression covers all
   * candidates. Faces below the score floor are dropped, even if the requested threshold is lower.
   *
   * @returns at most 500 faces in pixels of the image, and at most 16 candidates beside them, best first; boxes may
   *   exceed the image
   */
  async search(raster: Raster, options: FaceDetectionOptions): Promise<DetectorResult> {
    const threshold = Math.max(options.threshold, this.#scoreFloor);
    const isFace = ({ score }: FaceCandidate) => score >= threshold;
    const whole = await this.#runPasses(raster, { ...options, threshold });
    const wholeFaces = whole.filter(isFace);
    const all = [whole];
    for (const tile of planTiles(raster, this.#architecture.inputSide(this.#sizes))) {
      const part = cutTile(raster, tile);
      const seen = await this.#runPasses(part, { threshold, fullFramePass: false });
      freePixels(part);
      const placement = { origin: { x: tile.left, y: tile.top }, scale: 1 };
      all.push(
        seen
          .map((candidate) => toOuterImage(candidate, placement))
          .filter(({ box }) => isWithinTile(box, tile, raster) && !isPartOf(box, wholeFaces)),
      );
    }
    const kept = this.#suppressOverlaps(all.flat());
    const faces = kept.filter(isFace).slice(0, MAX_FACES);
    const candidates = kept.filter(
      ({ box, score, landmarks }) =>
        score < threshold && landmarks !== null && !isPartOf(box, faces),
    );
    return {
      faces,
      candidates: candidates.slice(0, Math.min(MAX_CANDIDATES_BELOW, MAX_FACES - faces.length)),
    };
  }

  /** Returns the faces that {@link search} finds. */
  async detect(raster: Raster, options: FaceDetectionOptions): Promise<readonly FaceCandidate[]> {
    return (await this.search(raster, options)).faces;
  }

  /**
   * Runs the passes of the architecture.
   *
   * @returns candidates in pixels of the image, before suppression, also some that score below the threshold
   */
  async #runPasses(raster: Raster, options: FaceDetectionOptions): Promise<FaceCandidate[]> {
    const lowest = Math.min(options.threshold, MIN_CANDIDATE_SCORE);
    const { image, scale } = shrinkImage(raster, this.#architecture.maxSide(this.#sizes));
    let candidates: readonly FaceCandidate[] = [];
    for (const plan of this.#architecture.passes) {
      const found = candidates.filter(({ score }) => score >= options.threshold);
      const pass = plan({ image, sizes: this.#sizes, options, found });
      if (pass === null) continue;
      const { frame, minScore = 0, accept = () => true } = pass;
      const seen = await this.#run(image, frame, Math.max(lowest, minScore));
      // `push(...)` would fail, because a threshold near 0 yields more candidates than a call
      // accepts as arguments.
      candidates = [...candidates, ...seen.filter(accept)];
    }
    const placement = { origin: ORIGIN, scale: 1 / scale };
    return candidates.map((candidate) => toOuterImage(candidate, placement));
  }

  /**
   * Searches for a face in and around a given box. The network sees a square of 1.5 times the box's
   * longer side at 192x192 pixels, of which the box takes up two thirds. At the network's usual
   * size such large faces are missed, especially if the box is tight. The score floor does not
   * apply, because the caller says that there is a face.
   *
   * @param box a box with an area
   * @param threshold minimum score, 0..1
   * @returns faces as {@link detect} returns them
   */
  async detectAround(raster: Raster, box: Corners, threshold: number): Promise<FaceCandidate[]> {
    const side = this.closeUpSide;
    const crop = { data: cropAroundBox(raster, box, side), width: side, height: side };
    const placement = placeAroundBox(box, side);
    const candidates = await this.detectInCloseUp(crop, threshold);
    return candidates.map((candidate) => toOuterImage(candidate, placement));
  }

  /**
   * Searches a square image of at most {@link closeUpSide} for faces that nearly fill it. The score floor does not apply.
   *
   * @param threshold minimum score, 0..1
   * @returns faces in pixels of the square, best first
   */
  async detectInCloseUp(square: Raster, threshold: number): Promise<FaceCandidate[]> {
    const frame = smallFrame(this.#sizes, square.width);
    return this.#suppressOverlaps(await this.#run(square, frame, threshold));
  }

  /**
   * Searches an image once at low resolution. The score floor does not apply.
   *
   * @param side the longer side, in pixels, of the image as the network sees it
   * @returns faces in pixels of the image, best first
   */
  async glance(
    raster: Raster,
    { side, threshold }: { readonly side: number; readonly threshold: number },
  ): Promise<FaceCandidate[]> {
    const frame = smallFrame(this.#sizes, side);
    return this.#suppressOverlaps(await this.#run(raster, frame, threshold));
  }

  /** The side, in pixels, of the square in which a face is searched for around a box. */
  get closeUpSide(): number {
    const { fixed, preferred } = this.#sizes;
    const { width, height } = fixed ?? preferred ?? { width: CLOSE_UP_SIDE, height: CLOSE_UP_SIDE };
    return Math.min(CLOSE_UP_SIDE, width, height);
  }

  /** The number of pixels that the network sees if it searches a square of this side. */
  closeUpPixels(side: number): number {
    const { width, height } = smallFrame(this.#sizes, side).size;
    return width * height;
  }

  /** How the network treats faces that are not upright. */
  get limits(): Pick<FaceArchitecture, 'certainScore' | 'exactRoll'> {
    return this.#architecture;
  }

  async #run(raster: Raster, frame: Frame, threshold: number): Promise<FaceCandidate[]> {
    const { inputs, outputs } = this.#session;
    const fit = this.#place(raster, frame);
    const { width, height } = fit.size;
    const results = await this.#input.with(3 * width * height, (data) => {
      packFit(data, raster, { fit, spec: this.#preprocess });
      return this.#session.run({ [inputs[0]!.name]: { data, dims: [1, 3, height, width] } });
    });
    const arrays = outputs.map(({ name }) => ({ name, data: results[name]!.data }));
    const candidates = this.#architecture.decode(arrays, { width, height, threshold });
    freeTensors(Object.values(results));
    const placement = { origin: ORIGIN, scale: 1 / fit.scaleX };
    return candidates.map((candidate) => toOuterImage(candidate, placement));
  }

  #place(image: Size, { size, room }: Frame): Fit {
    const { fit } = this.#architecture;
    return this.#step === null
      ? fit(image, size, room)
      : fitTightly(fit, image, { size, room, step: this.#step });
  }

  #suppressOverlaps(candidates: readonly FaceCandidate[]): FaceCandidate[] {
    const { edge, nmsThreshold } = this.#architecture;
    const best = candidates.toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
    const kept = nonMaximumSuppression(
      Float32Array.from(best.flatMap(({ box }) => [box.x1, box.y1, box.x2 + edge, box.y2 + edge])),
      Float32Array.from(best, ({ score }) => score),
      nmsThreshold,
    );
    return kept.map((index) => best[index]!);
  }
}
