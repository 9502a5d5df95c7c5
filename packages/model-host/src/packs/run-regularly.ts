/** The first run is after startup, yet early enough for a process that restarts daily. */
const FIRST_AFTER_MS = 5 * 60 * 1000;
/** The interval is far shorter than the week for which an unused pack is kept. */
const EVERY_MS = 60 * 60 * 1000;

/**
 * Runs a step after some minutes, and every hour after that, until the result is disposed of. A
 * process that is stopping does not wait for the step.
 *
 * @param step must not reject
 */
export function runRegularly(step: () => Promise<void>): Disposable {
  let timer: NodeJS.Timeout;
  const runIn = (milliseconds: number) => {
    timer = setTimeout(() => {
      runIn(EVERY_MS);
      void step();
    }, milliseconds).unref();
  };
  runIn(FIRST_AFTER_MS);
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
