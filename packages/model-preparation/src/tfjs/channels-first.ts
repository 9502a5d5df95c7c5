/**
 * The shape of a value as the ONNX graph has it: four axes go from [batch, height, width, channels]
 * to [batch, channels, height, width], fewer stay.
 */
export function channelsFirst<T>(shape: readonly T[]): readonly T[] {
  if (shape.length !== 4) return shape;
  const [batch, height, width, channels] = shape as readonly [T, T, T, T];
  return [batch, channels, height, width];
}

/** The position in the ONNX graph of an axis of a value with `rank` axes, 0 the first. */
export function axisChannelsFirst(axis: number, rank: number): number {
  return channelsFirst(Array.from({ length: rank }, (_, index) => index)).indexOf(axis);
}

/**
 * Values of a tensor in the order that {@link channelsFirst} gives its axes.
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
    const picture = Math.floor(index / pixels / channels);
    values[index] = data[(picture * pixels + pixel) * channels + channel]!;
  }
  return values;
}
