/** A monotonic clock. Tests use a fake clock. */
export interface Clock {
  /** The time in ms since an arbitrary moment. Changes of the system date do not affect the time. */
  now(): number;
  /** Runs a function once, after a delay in ms. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The clock of the system, whose timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
