/** Positions of a sliding window along one axis. */
export interface WindowPlacement {
  /** Zeros before the first and behind the last value. */
  readonly before: number;
  readonly after: number;
  /** Number of positions. */
  readonly count: number;
}

export interface Window {
  /** The window's length from its first to its last value, including gaps. */
  readonly extent: number;
  readonly stride: number;
}

/**
 * Positions of a sliding window by TensorFlow's rules. `SAME`: one position per `stride` values or
 * part thereof, padded with zeros as needed, the larger half behind. `VALID`: no padding; values
 * that do not fill the window are skipped.
 *
 * @param length of the axis
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
