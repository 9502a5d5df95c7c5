/** How much of a job was finished at a time. */
export interface Sample {
  /** The time, in ms. */
  readonly at: number;
  readonly finished: number;
}

/** The time over which the rate is measured, in ms. */
const WINDOW_MS = 30_000;
/** The shortest time that says something about the rate, in ms. */
const SHORTEST_MS = 900;

/** Adds a sample, and drops those that are older than the window. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples.filter(({ at }) => sample.at - at <= WINDOW_MS), sample];
}

/** The number that is finished each second; null while it is not known. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < SHORTEST_MS) return null;
  const finished = last.finished - first.finished;
  return finished > 0 ? finished / ((last.at - first.at) / 1000) : null;
}

/** The seconds until everything is finished; null while they are not known. */
export function secondsLeft(left: number, rate: number | null): number | null {
  return rate === null ? null : left / rate;
}
