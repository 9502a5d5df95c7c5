/** A monotonic clock. Tests pass one that they advance themselves. */
export interface Clock {
  /** In ms since an arbitrary moment; unaffected by changes of the date. */
  now(): number;
  /** Runs a function once, after a delay in ms. Returns a function that cancels it. */
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
