/**
 * A point in time, in ms of two clocks. The wall clock can be set back. The monotonic clock stops while the machine is
 * suspended.
 */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

export function now(): Moment {
  return { wall: Date.now(), monotonic: performance.now() };
}

/** The elapsed time in ms, by the clock that has advanced further. */
export function elapsedSince({ wall, monotonic }: Moment): number {
  const moment = now();
  return Math.max(moment.wall - wall, moment.monotonic - monotonic);
}
