/** After startup, yet early enough for a process that restarts daily. */
const FIRST_AFTER_MS = 5 * 60 * 1000;
/** Far more often than a pack that is not wanted is kept. */
const EVERY_MS = 60 * 60 * 1000;

/**
 * Runs a step some minutes from now, and every hour after that, until it is disposed of. A process that is
 * stopping does not wait for it.
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
