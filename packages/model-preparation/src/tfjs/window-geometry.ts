/** Where a window lies along one axis. */
export interface WindowPlacement {
  /** Zeros before the first and behind the last value. */
  readonly before: number;
  readonly after: number;
  /** Positions of the window. */
  readonly count: number;
}

export interface Window {
  /** From its first to its last value, gaps included. */
  readonly extent: number;
  readonly stride: number;
}

/**
 * How a window moves over an axis by TensorFlow's rules. `SAME`: one position for every `stride`
 * values or a part of them, with as many zeros as that takes, the larger half of them behind.
 * `VALID`: no zeros; what does not fill the window is passed over.
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
