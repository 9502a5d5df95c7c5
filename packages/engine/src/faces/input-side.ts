import type { ModelSession } from '../onnx/session.ts';

/**
 * Side in pixels of the square picture that a net takes.
 *
 * @param usual taken where the graph leaves the size free
 * @throws RangeError if the input is not square
 */
export function inputSide({ inputs }: ModelSession, usual: number): number {
  const [, , height = null, width = null] = inputs[0]!.dims;
  if (height !== width) throw new RangeError(`The input is not square: ${width} x ${height}.`);
  return height ?? usual;
}
