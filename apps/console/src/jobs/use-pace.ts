import { hasEnded, type Job } from './job.ts';
import { useState } from 'react';
import { rateOf, type Sample, secondsLeft, withSample } from './pace.ts';

export interface Pace {
  /** The number that is finished each second; null while it is not known. */
  readonly rate: number | null;
  /** The seconds until the end; null while they are not known. */
  readonly left: number | null;
}

/**
 * How fast a job goes, from what it had finished at each reading.
 *
 * @param at the time of the reading, in ms
 */
export function usePace(job: Job, at: number): Pace {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const finished = job.done + job.failed;
  if (samples.at(-1)?.at !== at) setSamples(withSample(samples, { at, finished }));
  const rate = hasEnded(job) ? null : rateOf(samples);
  return { rate, left: secondsLeft(job.total - finished, rate) };
}
