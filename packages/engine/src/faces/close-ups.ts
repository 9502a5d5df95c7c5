import { arePlausible, rollOf } from '@sightline/core/analysis/face-landmarks';
import type { Point } from '@sightline/core/analysis/geometry';
import type { Raster } from '../image/raster.ts';
import { warpAffine } from '../kernels/warp-affine.ts';
import { applyAffine, invertAffine } from '../math/affine.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { CROP_MARGIN, mapToCrop, type Square, squareAround } from './crop-around-box.ts';
import { clampToImage, type Corners, sidesOf } from '../math/corners.ts';
import type { FaceDetector } from './face-detector.ts';
import { faceInBox } from './face-in-box.ts';

/** The side, in pixels, of the close-ups. */
const SIDE = 128;
/** The minimum score in a close-up. It is low, because the caller says that there is a face. */
const SEARCH_THRESHOLD = 0.3;
/**
 * The maximum number of pixels that the network sees in all close-ups of one search: as many as in 24 passes of 640x640,
 * or in 600 close-ups. One face takes at most 44 close-ups, and about 12 if the detector is not certain of it.
 */
const MAX_PIXELS = 24 * 640 ** 2;
/** The number of close-ups per search that a network with a large fixed input may run nevertheless. */
const MIN_COUNT = 50;

export type CloseUpDetector = Pick<
  FaceDetector,
  'limits' | 'closeUpSide' | 'closeUpPixels' | 'detectInCloseUp'
>;

/** A face that a close-up shows, in pixels of the image. */
export interface CloseUpFace {
  readonly score: number;
  /** The roll in degrees. */
  readonly roll: number;
  readonly landmarks: readonly Point[];
  /** The upright box. */
  readonly box: Corners;
  /** The square around the face, turned by the direction of the close-up. */
  readonly square: Square;
}

/**
 * Searches for the faces of one image in turned close-ups. Their number is limited, because an image may have hundreds
 * of faces of which the detector is not certain. A photo that is searched twice has the close-ups of two searches.
 */
export class CloseUps {
  readonly limits: FaceDetector['limits'];
  readonly #detector: CloseUpDetector;
  readonly #raster: Raster;
  readonly #side: number;
  #left: number;
  #areExhausted = false;

  constructor(detector: CloseUpDetector, raster: Raster) {
    this.limits = detector.limits;
    this.#detector = detector;
    this.#raster = raster;
    this.#side = Math.min(SIDE, detector.closeUpSide);
    const pixels = detector.closeUpPixels(this.#side);
    this.#left = Math.max(MIN_COUNT, Math.floor(MAX_PIXELS / pixels));
  }

  /** Whether a search was refused, so that its result says nothing. */
  get areExhausted(): boolean {
    return this.#areExhausted;
  }

  /**
   * Whether landmarks can belong to the face in a box. The box is clamped to the image, because it is stored like that
   * and judged again when the face is imported or embedded again.
   */
  arePlausible(landmarks: readonly Point[], box: Corners): boolean {
    return arePlausible(landmarks, clampToImage(box, this.#raster));
  }

  /**
   * Searches a box for a face that is upright after the close-up is turned by this roll, in degrees.
   *
   * @returns null if there is none with plausible landmarks, or if no close-up is left
   */
  async search(box: Corners, roll: number): Promise<CloseUpFace | null> {
    if (this.#left === 0) {
      this.#areExhausted = true;
      return null;
    }
    this.#left -= 1;
    const side = this.#side;
    const square = { ...squareAround(box, CROP_MARGIN), roll };
    const toCrop = mapToCrop(square, side);
    const size = { width: side, height: side };
    const crop = { data: warpAffine(this.#raster, toCrop, size), ...size };
    const candidates = await this.#detector.detectInCloseUp(crop, SEARCH_THRESHOLD);
    const found = faceInBox(candidates, middleOf(side));
    if (found === null) return null;
    const toImage = invertAffine(toCrop);
    const landmarks = found.landmarks!.map((point) => applyAffine(toImage, point));
    if (!this.arePlausible(landmarks, box)) return null;
    const { x, y, side: longer } = squareAround(found.box, 1);
    const scale = square.side / side;
    const center = applyAffine(toImage, { x, y });
    const { w, h } = sidesOf(found.box);
    return {
      score: found.score,
      roll: rollOf(landmarks),
      landmarks,
      box: uprightBox(center, { width: w * scale, height: h * scale }, roll),
      square: { ...center, side: longer * scale, roll },
    };
  }
}

/** The square that the face takes up in the middle of a close-up. */
function middleOf(side: number): Corners {
  const margin = (side - side / CROP_MARGIN) / 2;
  return { x1: margin, y1: margin, x2: side - margin, y2: side - margin };
}

/** The upright box around the ellipse in a turned box, because heads are round. */
function uprightBox(center: Point, { width, height }: Size, roll: number): Corners {
  const angle = (roll * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const halfWidth = Math.hypot(width * cos, height * sin) / 2;
  const halfHeight = Math.hypot(width * sin, height * cos) / 2;
  return {
    x1: center.x - halfWidth,
    y1: center.y - halfHeight,
    x2: center.x + halfWidth,
    y2: center.y + halfHeight,
  };
}
