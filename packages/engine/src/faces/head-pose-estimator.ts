import type { HeadPose } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropAroundBox } from './crop-around-box.ts';
import type { Corners } from './face-candidate.ts';
import { FaceNet } from './face-net.ts';
import { headPose } from './head-pose.ts';

const DEFAULT_SIDE = 192;
const POSE_VALUES = 3 * 68;

/** Estimates head pose with the 1k3d68 network, like `Landmark` of insightface. */
export class HeadPoseEstimator {
  readonly #net: FaceNet;

  constructor(session: ModelSession, preprocess: PreprocessSpec) {
    this.#net = new FaceNet(session, { preprocess, defaultSide: DEFAULT_SIDE });
  }

  /**
   * @param boxes boxes of the faces, as detected
   * @returns poses in the order of the boxes; null if all points of the network's output coincide
   */
  async estimate(raster: Raster, boxes: readonly Corners[]): Promise<(HeadPose | null)[]> {
    const results = await this.#net.run(boxes, (box) => cropAroundBox(raster, box, this.#net.side));
    // The output is a dense mesh of 1103 points, of which the last 68 are the annotated ones. The
    // points need no conversion from the crop to the image, because the crop is neither rotated nor
    // stretched.
    return results.map(([mesh]) => headPose(mesh!.data.subarray(-POSE_VALUES)));
  }
}
