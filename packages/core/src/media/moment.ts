/**
 * A point in time in ms, by the wall clock, which can be set, and by the monotonic clock, which stops
 * while the machine is suspended.
 */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

export function now(): Moment {
  return { wall: Date.now(), monotonic: performance.now() };
}

/** The least time in ms that has passed since then: by the clock that has advanced further. */
export function elapsedSince({ wall, monotonic }: Moment): number {
  const moment = now();
  return Math.max(moment.wall - wall, moment.monotonic - monotonic);
}
