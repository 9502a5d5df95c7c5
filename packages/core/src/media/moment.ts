/** In ms, of a clock that others may set, and of one that stands still while the machine is suspended. */
export interface Moment {
  readonly wall: number;
  readonly monotonic: number;
}

export function now(): Moment {
  return { wall: Date.now(), monotonic: performance.now() };
}

/** In ms, at least: by the clock that has gone further. */
export function elapsedSince({ wall, monotonic }: Moment): number {
  const moment = now();
  return Math.max(moment.wall - wall, moment.monotonic - monotonic);
}
