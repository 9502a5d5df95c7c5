import { inspect } from 'node:util';
import { stackWithCauses } from '../logging/error-fields.ts';
import { isErrorLike } from '../errors/error-like.ts';
import { isStop } from './is-stop.ts';
import { StartError } from './start-error.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/**
 * How long further signals repeat the first one, in ms. make, npm and shells pass on a signal that the whole process group
 * has received, so that the process receives it twice.
 */
const REPEAT_MS = 500;

/**
 * Runs the main function of a process, and ends the process after the function has returned.
 *
 * - SIGTERM, SIGINT or SIGHUP (a closed terminal) aborts the signal `stop`. The function then finishes its work, and the
 *   exit code is 0. A second signal after {@link REPEAT_MS} ends the process at once with exit code 1.
 * - If the function throws a StartError, its message is printed on stderr. Any other error is printed with its stack.
 *   The exit code is 1.
 * - After an uncaught error, the process ends at once with exit code 1, because its state is unknown. The supervisor
 *   can then restart it.
 */
export async function runMain(main: (stop: AbortSignal) => Promise<void>): Promise<never> {
  const stop = new AbortController();
  let next: 'stops' | 'repeats' | 'ends' = 'stops';
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      if (next === 'ends')
        fail(new StartError(`The process ended at once: ${name} was received again.`));
      if (next === 'repeats') return;
      next = 'repeats';
      // The event loop handles signals that arrived while it was busy between its timers and its immediates.
      setTimeout(() => setImmediate(() => (next = 'ends')), REPEAT_MS).unref();
      stop.abort(new Error(`${name} was received.`));
    });
  }
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  try {
    await main(stop.signal);
  } catch (error) {
    if (!isStop(error, stop.signal)) fail(error);
  }
  process.exit(0);
}

/** Prints an error on stderr and ends the process with exit code 1. A StartError is printed without a stack. */
export function fail(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message;
  // Only the stack is printed, because other members of an error may contain values of database rows.
  return isErrorLike(error) ? stackWithCauses(error) : inspect(error);
}
