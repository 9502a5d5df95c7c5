import { inspect } from 'node:util';
import { stackWithCauses } from '../logging/error-fields.ts';
import { isErrorLike } from '../errors/error-like.ts';
import { isStop } from './is-stop.ts';
import { StartError } from './start-error.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Runs the main function of a process and ends the process with it.
 *
 * - SIGTERM or SIGINT aborts the signal; the function then winds down and the exit code is 0. A
 *   second one ends the process at once with 1.
 * - A StartError is printed as one sentence on stderr, any other error with its stack; the exit code
 *   is 1.
 * - After an uncaught error the state of the process is unknown: it ends at once with 1, so that its
 *   supervisor restarts it.
 */
export async function runMain(main: (stop: AbortSignal) => Promise<void>): Promise<never> {
  const stop = new AbortController();
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(1);
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

/** Ends the process with 1, after the sentence of a StartError or the stack of any other error. */
export function fail(error: unknown): never {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  if (error instanceof StartError) return error.message;
  // Other members of an error may contain values of rows.
  return isErrorLike(error) ? stackWithCauses(error) : inspect(error);
}
