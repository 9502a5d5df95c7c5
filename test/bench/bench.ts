import type { PhotoSet } from './photos.ts';
import type { Subject } from './subjects.ts';

/** The command's options with a number. */
export const DEFAULTS = {
  rounds: 7,
  /** The approximate seconds of one side's turn in a round. */
  seconds: 4,
  /** The images of a job. */
  images: 200,
  /** The events that exist when their consumers start, and the entries of the feed that is read. */
  unread: 360_000,
  entries: 10_000_000,
  /** The timed swaps or switches, and the enrolled faces that are embedded again. */
  count: 10,
  faces: 10_000,
  /** The size of the largest gallery, and the minutes within which Qdrant has to quantize it. */
  references: 1_000_000,
  minutes: 15,
  /** The size of the archive. */
  gigabytes: 1,
  /** The size of the planted library as a multiple of a million detections. */
  scale: 1,
  /** The seconds for which a list of the console is scrolled until its heap is read again. */
  scrolling: 60,
  /**
   * The number of InferenceModels, the number of their namespaces, and the seconds in which an idle operator's
   * requests to the API server are counted.
   */
  models: 500,
  namespaces: 50,
  rest: 120,
};

export interface Bench extends Readonly<typeof DEFAULTS> {
  /** The inference threads of the service, and the threads or processes of a bare loop. */
  readonly workers: number;
  /** A sentence with the command that repeats the measure. */
  readonly madeBy: string;
  readonly subjects: () => Promise<readonly Subject[]>;
  readonly photos: () => Promise<PhotoSet>;
}

/** A row of the overview: the measure, its goal, and a cell for each subject. */
export type Goal = readonly string[];

export interface Measured {
  /** The section in Markdown. */
  readonly text: string;
  readonly goals?: readonly Goal[];
}

export type Measure = (bench: Bench) => Promise<Measured>;

/** Repeats a round, in which all sides take turns, so that changes of the machine's speed affect all of them. */
export async function repeat<T>(rounds: number, round: (at: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < rounds; at++) results.push(await round(at));
  return results;
}

/** The number of passes that take about the bench's seconds, from the seconds of one pass. */
export function passesIn({ seconds }: Pick<Bench, 'seconds'>, onePass: number): number {
  return Math.max(1, Math.round(seconds / onePass));
}
