import type { Raster } from '../image/raster.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { cropSquare, type Square } from './crop-around-box.ts';
import { FaceNet } from './face-net.ts';
import { FACERES } from './faceres-architecture.ts';
import type { GenderAge, GenderAgeArchitecture } from './gender-age-architecture.ts';
import { GENDERAGE } from './genderage-architecture.ts';

const ARCHITECTURES = {
  genderage: GENDERAGE,
  faceres: FACERES,
} as const satisfies Record<string, GenderAgeArchitecture>;

export interface GenderAgeSpec {
  readonly architecture: keyof typeof ARCHITECTURES;
  readonly preprocess: PreprocessSpec;
}

export class GenderAgeEstimator {
  readonly #net: FaceNet;
  readonly #architecture: GenderAgeArchitecture;

  constructor(session: ModelSession, { architecture, preprocess }: GenderAgeSpec) {
    this.#architecture = ARCHITECTURES[architecture];
    const { defaultSide } = this.#architecture;
    this.#net = new FaceNet(session, { preprocess, defaultSide });
  }

  /**
   * @param squares the squares around the boxes of the faces, turned like the faces
   * @returns estimates in the order of the squares
   * @throws RangeError if the outputs do not fit the architecture
   */
  async estimate(raster: Raster, squares: readonly Square[]): Promise<GenderAge[]> {
    const { margin } = this.#architecture;
    const results = await this.#net.run(squares, (square) =>
      cropSquare(raster, { ...square, side: square.side * margin }, this.#net.side),
    );
    return results.map((outputs) => this.#architecture.read(outputs));
  }
}
