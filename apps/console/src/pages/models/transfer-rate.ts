/** How much of a job was done at a time. */
export interface Sample {
  readonly done: number;
  /** In ms. */
  readonly at: number;
}

/** The time over which a rate is taken, in ms. */
const WINDOW_MS = 10_000;

/** Adds a sample, and drops those that are too old. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  return [...samples.filter(({ at }) => sample.at - at < WINDOW_MS), sample];
}

/** The amount per second; null before there are two samples. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at === first.at) return null;
  return Math.max(0, ((last.done - first.done) * 1000) / (last.at - first.at));
}
