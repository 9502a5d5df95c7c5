import type { FaceRegion } from '../analysis/image-analyzer.ts';

/** The region in a copy of the image that is scaled by these ratios. Pixels. */
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
