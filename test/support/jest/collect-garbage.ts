import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage at once. Otherwise, garbage could remain for as long as other threads are busy. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  // Otherwise all later suites of this process would get the collector, too, and would run it for each HEIC.
  setFlagsFromString('--no-expose-gc');
}
