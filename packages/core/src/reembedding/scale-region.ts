import type { FaceRegion } from '../analysis/image-analyzer.ts';

/** A place in an image, in pixels of a copy of it whose width and height are these ratios of its own. */
export function scaleRegion(
  { bbox, landmarks }: FaceRegion,
  ratio: { readonly x: number; readonly y: number },
): FaceRegion {
  return {
    bbox: {
      x: bbox.x * ratio.x,
      y: bbox.y * ratio.y,
      w: bbox.w * ratio.x,
      h: bbox.h * ratio.y,
    },
    landmarks: landmarks?.map(({ x, y }) => ({ x: x * ratio.x, y: y * ratio.y })) ?? null,
  };
}
