import type { HeadPose } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { packTensor } from '../kernels/pack-tensor.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropAroundBox } from './crop-around-box.ts';
import type { Corners } from './face-candidate.ts';
import { headPose } from './head-pose.ts';
import { inputSide } from './input-side.ts';

const DEFAULT_SIDE = 192;
const POSE_VALUES = 3 * 68;

/** Estimates head pose with the 1k3d68 network, like `Landmark` of insightface. */
export class HeadPoseEstimator {
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  readonly #side: number;

  constructor(session: ModelSession, preprocess: PreprocessSpec) {
    this.#session = session;
    this.#preprocess = preprocess;
    this.#side = inputSide(session, DEFAULT_SIDE);
  }

  /**
   * @param box of the face, as detected
   * @returns null if all points that the network finds coincide
   */
  async estimate(raster: Raster, box: Corners): Promise<HeadPose | null> {
    const { inputs, outputs } = this.#session;
    const side = this.#side;
    const size = { width: side, height: side };
    const results = await this.#session.run({
      [inputs[0]!.name]: {
        data: packTensor(cropAroundBox(raster, box, side), size, this.#preprocess),
        dims: [1, 3, side, side],
      },
    });
    // The output is 1103 points of a dense mesh; the last 68 are the annotated ones. They can stay
    // in the coordinates of the crop, which is not rotated or stretched.
    return headPose(results[outputs[0]!.name]!.data.subarray(-POSE_VALUES));
  }
}
