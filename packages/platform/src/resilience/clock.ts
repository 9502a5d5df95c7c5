/** Time as the watches of outside services see it; tests give one of their own. */
export interface Clock {
  /** Milliseconds since some moment; they only ever grow, whatever becomes of the date. */
  now(): number;
  /** Runs something once, so many milliseconds later; the answer prevents that. */
  after(milliseconds: number, run: () => void): () => void;
}

/** Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
