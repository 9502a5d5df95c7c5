/**
 * The shape of a value in the ONNX graph: four axes are reordered from [batch, height, width,
 * channels] to [batch, channels, height, width]; fewer axes keep their order.
 */
export function channelsFirst<T>(shape: readonly T[]): readonly T[] {
  if (shape.length !== 4) return shape;
  const [batch, height, width, channels] = shape as readonly [T, T, T, T];
  return [batch, channels, height, width];
}

/** The position in the ONNX graph of an axis of a value with `rank` axes, from 0. */
export function axisChannelsFirst(axis: number, rank: number): number {
  return channelsFirst(Array.from({ length: rank }, (_, index) => index)).indexOf(axis);
}

/**
 * Reorders the values of a tensor like {@link channelsFirst} reorders its axes.
 *
 * @param shape [batch, height, width, channels]
 * @param data row-major
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
