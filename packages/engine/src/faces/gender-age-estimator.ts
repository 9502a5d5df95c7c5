import type { Raster } from '../image/raster.ts';
import { packTensor } from '../kernels/pack-tensor.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropSquare, squareAround } from './crop-around-box.ts';
import type { Corners } from './face-candidate.ts';
import { FACERES } from './faceres-architecture.ts';
import type { GenderAge, GenderAgeArchitecture } from './gender-age-architecture.ts';
import { GENDERAGE } from './genderage-architecture.ts';
import { inputSide } from './input-side.ts';

/** Keyed by the names that manifests use. */
const ARCHITECTURES = {
  genderage: GENDERAGE,
  faceres: FACERES,
} as const satisfies Record<string, GenderAgeArchitecture>;

/** How a network is fed and its outputs are decoded. */
export interface GenderAgeSpec {
  readonly architecture: keyof typeof ARCHITECTURES;
  readonly preprocess: PreprocessSpec;
}

/** Estimates gender and age from a face. */
export class GenderAgeEstimator {
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  readonly #architecture: GenderAgeArchitecture;
  readonly #side: number;

  constructor(session: ModelSession, { architecture, preprocess }: GenderAgeSpec) {
    this.#session = session;
    this.#preprocess = preprocess;
    this.#architecture = ARCHITECTURES[architecture];
    this.#side = inputSide(session, this.#architecture.defaultSide);
  }

  /**
   * @param box of the face, as detected
   * @throws RangeError if the outputs do not fit the architecture
   */
  async estimate(raster: Raster, box: Corners): Promise<GenderAge> {
    const { inputs, outputs } = this.#session;
    const side = this.#side;
    const crop = cropSquare(raster, squareAround(box, this.#architecture.margin), side);
    const results = await this.#session.run({
      [inputs[0]!.name]: {
        data: packTensor(crop, { width: side, height: side }, this.#preprocess),
        dims: [1, 3, side, side],
      },
    });
    return this.#architecture.read(outputs.map(({ name }) => results[name]!));
  }
}
