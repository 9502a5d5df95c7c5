import type { Raster } from '../image/raster.ts';
import { packTensor, type PreprocessSpec } from '../math/pack-tensor.ts';
import { roundHalfEven } from '../math/round-half-even.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropAroundBox } from './crop-around-box.ts';
import type { Corners } from './face-candidate.ts';
import { inputSide } from './input-side.ts';

const USUAL_SIDE = 96;

export interface GenderAge {
  readonly gender: 'M' | 'F';
  /** In years. */
  readonly age: number;
}

/** Estimates gender and age from a face, as `Attribute` of insightface does. */
export class GenderAgeEstimator {
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  readonly #side: number;

  constructor(session: ModelSession, preprocess: PreprocessSpec) {
    this.#session = session;
    this.#preprocess = preprocess;
    this.#side = inputSide(session, USUAL_SIDE);
  }

  /** @param box of the face, as the detector gave it */
  async estimate(raster: Raster, box: Corners): Promise<GenderAge> {
    const { inputs, outputs } = this.#session;
    const side = this.#side;
    const size = { width: side, height: side };
    const results = await this.#session.run({
      [inputs[0]!.name]: {
        data: packTensor(cropAroundBox(raster, box, side), size, this.#preprocess),
        dims: [1, 3, side, side],
      },
    });
    return readGenderAge(results[outputs[0]!.name]!.data);
  }
}

/** @param output scores of female and male, and the age in centuries */
export function readGenderAge(output: Float32Array): GenderAge {
  const [female, male, centuries] = output as unknown as [number, number, number];
  return { gender: male > female ? 'M' : 'F', age: roundHalfEven(centuries * 100) };
}
