import type { Fit } from '../math/fit.ts';
import { type FitImage, fitTightly } from '../math/letterbox.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { TensorSpec } from '../onnx/session.ts';

/** The largest stride of the YOLO networks. */
export const STEP = 32;

/** The input of a network for objects. */
export interface ObjectInput {
  /** The size of the input in pixels; the largest one if the graph accepts any. */
  readonly size: Size;
  /** `square`: the input keeps its size, even if the graph accepts any. By default it is cut to the image. */
  readonly letterbox?: 'square' | undefined;
}

/** Places an image in the input of a network. If the graph accepts any size, the input is cut to the image. */
export function placeImage(
  { fit, input: { size, letterbox } }: { readonly fit: FitImage; readonly input: ObjectInput },
  { dims }: TensorSpec,
  image: Size,
): Fit {
  const [, , height, width] = dims;
  const isFree = height === null && width === null;
  return isFree && letterbox !== 'square'
    ? fitTightly(fit, image, { size, step: STEP })
    : fit(image, size);
}
