import { roundHalfEven } from '../math/round-half-even.ts';
import type { FloatTensor } from '../onnx/session.ts';
import type { GenderAgeArchitecture } from './gender-age-architecture.ts';

const BINS = 100;

/**
 * The `faceres` network of @vladmandic/human with its gender and age heads. An output of one value
 * is the probability that the face is male. An output of 100 values is a distribution over years of
 * age.
 */
export const FACERES: GenderAgeArchitecture = {
  defaultSide: 224,
  margin: 1.2,
  read(outputs) {
    const male = ofLength(outputs, 1);
    const years = ofLength(outputs, BINS);
    return { gender: male[0]! > 0.5 ? 'M' : 'F', age: roundHalfEven(expectedAge(years)) };
  },
};

/**
 * Returns the age in years: the mean of the two likeliest bins, weighted by their probabilities.
 * Half a year is added because bin n covers the year after the n-th birthday.
 *
 * @param bins the probability of each year of age, from 0
 */
export function expectedAge(bins: Float32Array): number {
  const [first, second] = Array.from(bins.keys()).sort((a, b) => bins[b]! - bins[a]! || a - b);
  const [p, q] = [bins[first!]!, bins[second!]!];
  return (first! * p + second! * q) / (p + q) + 0.5;
}

function ofLength(outputs: readonly FloatTensor[], length: number): Float32Array {
  const output = outputs.find(({ data }) => data.length === length);
  if (output === undefined)
    throw new RangeError(`A faceres network has outputs of 1 and ${BINS} values.`);
  return output.data;
}
