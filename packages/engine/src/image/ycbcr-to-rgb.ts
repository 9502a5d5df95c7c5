/** The weights of red, green and blue in the luminance, by Recommendation ITU-R BT.601. */
const DEFAULT_WEIGHTS = [0.299, 0.587, 0.114];
/** The values of black and white of the luminance, and of no color and full color of both chroma channels. */
const DEFAULT_RANGE = [0, 255, 128, 255, 128, 255];
/** The distance of full color from no color in the formulas. */
const CHROMA_UNITS = 127;

export interface YcbcrSpec {
  /** The tag YCbCrCoefficients; empty for the defaults, like a tag without sense. */
  readonly weights: readonly number[];
  /** The tag ReferenceBlackWhite; likewise. */
  readonly range: readonly number[];
}

/**
 * Converts interleaved YCbCr to RGB as section 21 of TIFF 6.0 specifies.
 *
 * @param values three bytes per pixel
 */
export function ycbcrToRgb(values: Uint8Array, spec: YcbcrSpec): Uint8Array {
  const [redWeight, greenWeight, blueWeight] = orDefault(spec.weights, DEFAULT_WEIGHTS);
  const range = orDefault(spec.range, DEFAULT_RANGE);
  const luma = scaled(range[0]!, range[1]!, 255);
  const blueChroma = scaled(range[2]!, range[3]!, CHROMA_UNITS);
  const redChroma = scaled(range[4]!, range[5]!, CHROMA_UNITS);
  // The array clamps and rounds.
  const rgb = new Uint8ClampedArray(values.length);
  for (let at = 0; at < values.length; at += 3) {
    const y = luma[values[at]!]!;
    const red = y + redChroma[values[at + 2]!]! * (2 - 2 * redWeight!);
    const blue = y + blueChroma[values[at + 1]!]! * (2 - 2 * blueWeight!);
    rgb[at] = red;
    rgb[at + 1] = (y - redWeight! * red - blueWeight! * blue) / greenWeight!;
    rgb[at + 2] = blue;
  }
  return new Uint8Array(rgb.buffer);
}

/** Returns the meaning of each byte value of a channel: 0 at `black`, `units` at `white`. */
function scaled(black: number, white: number, units: number): Float64Array {
  return Float64Array.from(
    { length: 256 },
    (_, value) => ((value - black) * units) / (white - black),
  );
}

function orDefault(values: readonly number[], defaults: readonly number[]): readonly number[] {
  const isUsable = values.length === defaults.length && values.every(Number.isFinite);
  const differ = (at: number) => values[at] !== values[at + 1];
  const hasRange = values.length !== 6 || [0, 2, 4].every(differ);
  const hasWeights = values.length !== 3 || values[1] !== 0;
  return isUsable && hasRange && hasWeights ? values : defaults;
}
