import type { HeadPose } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { packTensor, type PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropAroundBox } from './crop-around-box.ts';
import type { Corners } from './face-candidate.ts';
import { headPose } from './head-pose.ts';
import { inputSide } from './input-side.ts';

const USUAL_SIDE = 192;
const POSE_VALUES = 3 * 68;

/** Estimates the pose of a head with the 1k3d68 net, as `Landmark` of insightface does. */
export class HeadPoseEstimator {
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  readonly #side: number;

  constructor(session: ModelSession, preprocess: PreprocessSpec) {
    this.#session = session;
    this.#preprocess = preprocess;
    this.#side = inputSide(session, USUAL_SIDE);
  }

  /**
   * @param box of the face, as the detector gave it
   * @returns null if the net puts all points in one place
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
    // The net answers 1103 points of a dense mesh; the 68 annotated ones are the last. They stay in
    // the crop's frame, which is neither turned nor stretched against the picture.
    return headPose(results[outputs[0]!.name]!.data.subarray(-POSE_VALUES));
  }
}
