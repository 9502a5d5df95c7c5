import type { ModelSession } from '../onnx/session.ts';

/**
 * Returns the side in pixels of a network's square input.
 *
 * @param defaultSide the side if the graph accepts any size
 * @throws RangeError if the input is not square
 */
export function inputSide({ inputs }: ModelSession, defaultSide: number): number {
  const [, , height = null, width = null] = inputs[0]!.dims;
  if (height !== width) throw new RangeError(`The input is not square: ${width} x ${height}.`);
  return height ?? defaultSide;
}
