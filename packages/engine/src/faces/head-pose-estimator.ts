import type { HeadPose } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { CROP_MARGIN, cropSquare, type Square } from './crop-around-box.ts';
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
   * @param squares the squares around the boxes of the faces, turned like the faces
   * @returns the poses in the image, in the order of the squares; null if all points of the network's output coincide
   */
  async estimate(raster: Raster, squares: readonly Square[]): Promise<(HeadPose | null)[]> {
    const results = await this.#net.run(squares, (square) =>
      cropSquare(raster, { ...square, side: square.side * CROP_MARGIN }, this.#net.side),
    );
    // The output is a dense mesh of 1103 points, of which the last 68 are the annotated ones.
    return results.map(([mesh], index) => {
      const pose = headPose(mesh!.data.subarray(-POSE_VALUES));
      return pose && inImage(pose, squares[index]!);
    });
  }
}

/** The pose in the image of a face in a crop. The turn of the crop changes only the roll, about the axis of the camera. */
function inImage([pitch, yaw, roll]: HeadPose, square: Square): HeadPose {
  const turned = roll + square.roll;
  return [pitch, yaw, turned - 360 * Math.round(turned / 360)];
}
