/** The positions of a sliding window along an axis. */
export interface WindowPlacement {
  /** The number of padding zeros before the first value. */
  readonly before: number;
  /** The number of padding zeros after the last value. */
  readonly after: number;
  /** The number of positions. */
  readonly count: number;
}

export interface Window {
  /** The window's length from its first to its last value, including gaps. */
  readonly extent: number;
  readonly stride: number;
}

/**
 * The positions of a sliding window by TensorFlow's rules. `SAME` has one position per `stride` values and one for
 * the remainder, and pads with zeros on both sides; an odd zero comes after the last value. `VALID` has no padding
 * and skips values at the end that do not fill a window.
 *
 * @param length the length of the axis
 */
export function placeWindow(
  length: number,
  { extent, stride }: Window,
  padding: 'SAME' | 'VALID',
): WindowPlacement {
  if (padding === 'VALID') {
    return { before: 0, after: 0, count: Math.floor((length - extent) / stride) + 1 };
  }
  const count = Math.ceil(length / stride);
  const zeros = Math.max((count - 1) * stride + extent - length, 0);
  const before = Math.floor(zeros / 2);
  return { before, after: zeros - before, count };
}
