/**
 * The shape of a value in the ONNX graph. Four axes are reordered from [batch, height, width, channels] to [batch,
 * channels, height, width]. Fewer axes keep their order.
 */
export function channelsFirst<T>(shape: readonly T[]): readonly T[] {
  if (shape.length !== 4) return shape;
  const [batch, height, width, channels] = shape as readonly [T, T, T, T];
  return [batch, channels, height, width];
}

/** The position of an axis in the ONNX graph, from 0. @param rank the number of axes of the value */
export function axisChannelsFirst(axis: number, rank: number): number {
  return channelsFirst(Array.from({ length: rank }, (_, index) => index)).indexOf(axis);
}

/**
 * Reorders the values of a tensor to the layout of {@link channelsFirst}.
 *
 * @param shape the lengths [batch, height, width, channels]
 * @param data the values in row-major order
 */
export function constantChannelsFirst(
  shape: readonly number[],
  data: ArrayLike<number>,
): Float32Array {
  const [batch, height, width, channels] = shape as [number, number, number, number];
  const pixels = height * width;
  const values = new Float32Array(batch * channels * pixels);
  for (let index = 0; index < values.length; index++) {
    const pixel = index % pixels;
    const channel = Math.floor(index / pixels) % channels;
    const image = Math.floor(index / pixels / channels);
    values[index] = data[(image * pixels + pixel) * channels + channel]!;
  }
  return values;
}
