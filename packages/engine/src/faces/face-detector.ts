import type { Raster } from '../image/raster.ts';
import { letterboxSmooth } from '../math/letterbox.ts';
import { nonMaximumSuppression } from '../math/non-maximum-suppression.ts';
import { packTensor, type PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropAroundBox, placeAroundBox } from './crop-around-box.ts';
import {
  type FaceArchitecture,
  type FaceDetectionOptions,
  type Frame,
  type InputSizes,
  smallFrame,
} from './face-architecture.ts';
import { type Corners, type FaceCandidate, placeCandidate } from './face-candidate.ts';
import { SCRFD } from './scrfd-architecture.ts';
import { YUNET } from './yunet-architecture.ts';

const ARCHITECTURES = { scrfd: SCRFD, yunet: YUNET } as const;

/** More than nets of these sizes tell apart in a crowd; each costs an embedding and a crop. */
const MAX_FACES = 500;
/** A threshold near 0 lets every anchor through; the weakest of them never get into the result. */
const MAX_CANDIDATES = 5_000;
/** Side of the picture of a face that is known to be there. */
const CLOSE_UP_SIDE = 192;
const PICTURE_ORIGIN = { x: 0, y: 0 };

/** How a net is fed and its outputs read. */
export interface FaceDetectorSpec {
  readonly architecture: keyof typeof ARCHITECTURES;
  readonly preprocess: PreprocessSpec;
  /** Size of the input where the net takes any; absent: the architecture chooses. */
  readonly size?: Size | undefined;
  /** Scores below it mean nothing with this net, 0..1; 0 if absent. */
  readonly scoreFloor?: number | undefined;
}

/** Finds faces with a net of one of the known families. */
export class FaceDetector {
  readonly #session: ModelSession;
  readonly #architecture: FaceArchitecture;
  readonly #preprocess: PreprocessSpec;
  readonly #sizes: InputSizes;
  readonly #scoreFloor: number;

  constructor(session: ModelSession, spec: FaceDetectorSpec) {
    this.#session = session;
    this.#architecture = ARCHITECTURES[spec.architecture];
    this.#preprocess = spec.preprocess;
    this.#scoreFloor = spec.scoreFloor ?? 0;
    const [, , height = null, width = null] = session.inputs[0]!.dims;
    const fixed = height === null || width === null ? null : { width, height };
    this.#sizes = { fixed, wanted: spec.size ?? null };
  }

  /**
   * Runs the net once or several times, as its architecture has it; one suppression runs over the
   * candidates of all passes. Nothing is below the score floor, whatever the threshold.
   *
   * @returns at most 500 faces in pixels of the picture, best first; boxes may reach beyond it
   */
  async detect(raster: Raster, options: FaceDetectionOptions): Promise<FaceCandidate[]> {
    const threshold = Math.max(options.threshold, this.#scoreFloor);
    const { picture, scale } = reduce(raster, this.#architecture.finestSide(this.#sizes));
    let found: readonly FaceCandidate[] = [];
    for (const look of this.#architecture.looks) {
      const pass = look({ picture, sizes: this.#sizes, options, found });
      if (pass === null) continue;
      const { frame, leastScore = 0, counts = () => true } = pass;
      const candidates = await this.#run(picture, frame, Math.max(threshold, leastScore));
      // Not pushed: more than a call takes as arguments get through a threshold near 0.
      found = [...found, ...candidates.filter(counts)];
    }
    const placement = { origin: PICTURE_ORIGIN, scale: 1 / scale };
    return this.#suppressOverlaps(found).map((face) => placeCandidate(face, placement));
  }

  /**
   * Looks for the face that a box is said to hold: in a square around it, half as large again as
   * its longer side and seen at 192x192, where the box takes up two thirds. At the net's usual
   * size it misses faces that are so large, above all behind a tight box. The score floor is for
   * faces that nobody spoke of, and not applied here.
   *
   * @param box with an extent
   * @param threshold least score, 0..1
   * @returns as {@link detect}
   */
  async detectAround(raster: Raster, box: Corners, threshold: number): Promise<FaceCandidate[]> {
    const { fixed, wanted } = this.#sizes;
    const { width, height } = fixed ?? wanted ?? { width: CLOSE_UP_SIDE, height: CLOSE_UP_SIDE };
    const side = Math.min(CLOSE_UP_SIDE, width, height);
    const crop = { data: cropAroundBox(raster, box, side), width: side, height: side };
    const candidates = await this.#run(crop, smallFrame(this.#sizes, side), threshold);
    const placement = placeAroundBox(box, side);
    return this.#suppressOverlaps(
      candidates.map((candidate) => placeCandidate(candidate, placement)),
    );
  }

  async #run(raster: Raster, frame: Frame, threshold: number): Promise<FaceCandidate[]> {
    const { fit, decode } = this.#architecture;
    const { pixels, scale } = fit(raster, frame);
    const { inputs, outputs } = this.#session;
    const { width, height } = frame.size;
    const results = await this.#session.run({
      [inputs[0]!.name]: {
        data: packTensor(pixels, frame.size, this.#preprocess),
        dims: [1, 3, height, width],
      },
    });
    const arrays = outputs.map(({ name }) => ({ name, data: results[name]!.data }));
    return decode(arrays, { width, height, threshold }).map((candidate) =>
      placeCandidate(candidate, { origin: PICTURE_ORIGIN, scale: 1 / scale }),
    );
  }

  #suppressOverlaps(candidates: readonly FaceCandidate[]): FaceCandidate[] {
    const { edge, nmsThreshold } = this.#architecture;
    const best = candidates.toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
    const kept = nonMaximumSuppression(
      Float32Array.from(best.flatMap(({ box }) => [box.x1, box.y1, box.x2 + edge, box.y2 + edge])),
      Float32Array.from(best, ({ score }) => score),
      nmsThreshold,
    );
    return kept.slice(0, MAX_FACES).map((index) => best[index]!);
  }
}

/** The picture, shrunk if its longer side has more pixels than that; `scale` is 1 if it has not. */
function reduce(raster: Raster, finestSide: number): { picture: Raster; scale: number } {
  const scale = finestSide / Math.max(raster.width, raster.height);
  if (scale >= 1) return { picture: raster, scale: 1 };
  const size = {
    width: Math.max(1, Math.round(raster.width * scale)),
    height: Math.max(1, Math.round(raster.height * scale)),
  };
  // Fitted into the rounded size, a thin picture would be shrunk further than by `scale`.
  const room = { width: finestSide, height: finestSide };
  return { picture: { data: letterboxSmooth(raster, size, room).pixels, ...size }, scale };
}
