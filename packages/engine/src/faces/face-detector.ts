import type { Raster } from '../image/raster.ts';
import { letterbox } from '../math/letterbox.ts';
import { nonMaximumSuppression } from '../math/non-maximum-suppression.ts';
import { packTensor, type PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropAroundBox, placeAroundBox } from './crop-around-box.ts';
import { type Corners, type FaceCandidate, placeCandidate } from './face-candidate.ts';
import { decodeScrfd } from './scrfd.ts';

/** Where neither the net nor its pack names a size. */
const USUAL_SIZE: Size = { width: 640, height: 640 };
const NMS_THRESHOLD = 0.4;
/** More than nets of these sizes tell apart in a crowd; each costs an embedding and a crop. */
const MAX_FACES = 500;
/** A threshold near 0 lets every anchor through; the weakest of them never get into the result. */
const MAX_CANDIDATES = 5_000;
/** Side of the small picture in which the net sees a face that fills it. */
const SMALL_SIDE = 192;
const PICTURE_ORIGIN = { x: 0, y: 0 };
/** A first pass with a face above this score needs no second one. */
const SURE_SCORE = 0.6;

export interface FaceDetectionOptions {
  /** Least score, 0..1. */
  readonly threshold: number;
  /** Look a second time at low resolution if no face is sure; see {@link FaceDetector.detect}. */
  readonly fullFramePass: boolean;
}

/** Size of the net's input, and the upper left part of it that a picture is fitted into. */
interface Frame {
  readonly size: Size;
  readonly room: Size;
}

/** Finds faces with an SCRFD net, as the `SCRFD` class of insightface (Python) does. */
export class FaceDetector {
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  /** Null: the net takes any size. */
  readonly #fixedSize: Size | null;
  readonly #size: Size;

  /** @param wantedSize taken where the net takes any size; 640x640 if it is absent */
  constructor(session: ModelSession, preprocess: PreprocessSpec, wantedSize: Size = USUAL_SIZE) {
    this.#session = session;
    this.#preprocess = preprocess;
    const [, , height = null, width = null] = session.inputs[0]!.dims;
    this.#fixedSize = height === null || width === null ? null : { width, height };
    this.#size = this.#fixedSize ?? wantedSize;
  }

  /**
   * The picture is fitted into the net's input, or into the wanted size where that is free.
   *
   * At that scale the net misses a face that fills the frame. With `fullFramePass`, and if the
   * first pass has no face above 0.6, the picture is looked at once more fitted into 192x192; faces
   * of that pass count only if both sides of their box are longer than a third of the picture's
   * shorter side, and one suppression runs over both passes. A net of fixed size sees the small
   * picture in the corner of its input; one whose input is not larger than that gets no second
   * pass.
   *
   * @returns at most 500 faces in pixels of the picture, best first; boxes may reach beyond it
   */
  async detect(raster: Raster, options: FaceDetectionOptions): Promise<FaceCandidate[]> {
    const size = this.#size;
    const candidates = await this.#pass(raster, { size, room: size }, options.threshold);
    const sure = candidates.some(({ score }) => score > SURE_SCORE);
    if (options.fullFramePass && !sure && Math.min(size.width, size.height) > SMALL_SIDE) {
      const large = await this.#pass(raster, this.#smallFrame(SMALL_SIDE), options.threshold);
      candidates.push(...large.filter((candidate) => fillsFrame(candidate, raster)));
    }
    return suppressOverlaps(candidates);
  }

  /**
   * Looks for the face that a box is said to hold: in a square around it, half as large again as
   * its longer side and seen at 192x192, where the box takes up two thirds. At the net's usual
   * size it misses faces that are so large, above all behind a tight box.
   *
   * @param box with an extent
   * @param threshold least score, 0..1
   * @returns as {@link detect}
   */
  async detectAround(raster: Raster, box: Corners, threshold: number): Promise<FaceCandidate[]> {
    const side = Math.min(SMALL_SIDE, this.#size.width, this.#size.height);
    const crop = { data: cropAroundBox(raster, box, side), width: side, height: side };
    const candidates = await this.#pass(crop, this.#smallFrame(side), threshold);
    const placement = placeAroundBox(box, side);
    return suppressOverlaps(candidates.map((candidate) => placeCandidate(candidate, placement)));
  }

  /** A net of fixed size sees small pictures in the corner of its input. */
  #smallFrame(side: number): Frame {
    const room = { width: side, height: side };
    return { size: this.#fixedSize ?? room, room };
  }

  async #pass(raster: Raster, { size, room }: Frame, threshold: number): Promise<FaceCandidate[]> {
    const { pixels, scale } = letterbox(raster, size, room);
    const { inputs, outputs } = this.#session;
    const results = await this.#session.run({
      [inputs[0]!.name]: {
        data: packTensor(pixels, size, this.#preprocess),
        dims: [1, 3, size.height, size.width],
      },
    });
    const arrays = outputs.map(({ name }) => results[name]!.data);
    return decodeScrfd(arrays, { ...size, threshold }).map((candidate) =>
      placeCandidate(candidate, { origin: PICTURE_ORIGIN, scale: 1 / scale }),
    );
  }
}

function fillsFrame({ box }: FaceCandidate, { width, height }: Raster): boolean {
  return Math.min(box.x2 - box.x1, box.y2 - box.y1) > Math.min(width, height) / 3;
}

/** Edges count as pixels of the box, as in the reference: hence the 1. */
function suppressOverlaps(candidates: readonly FaceCandidate[]): FaceCandidate[] {
  const best = candidates.toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  const kept = nonMaximumSuppression(
    Float32Array.from(best.flatMap(({ box }) => [box.x1, box.y1, box.x2 + 1, box.y2 + 1])),
    Float32Array.from(best, ({ score }) => score),
    NMS_THRESHOLD,
  );
  return kept.slice(0, MAX_FACES).map((index) => best[index]!);
}
