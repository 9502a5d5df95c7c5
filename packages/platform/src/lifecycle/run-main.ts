import { inspect } from 'node:util';
import { stackWithCauses } from '../logging/error-fields.ts';
import { isErrorLike } from '../errors/error-like.ts';
import { isStop } from './is-stop.ts';
import { StartError } from './start-error.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Runs the main function of a process, and ends the process after the function has returned.
 *
 * - SIGTERM or SIGINT aborts the signal `stop`. The function then finishes its work, and the exit code is 0. A second
 *   SIGTERM or SIGINT ends the process at once with exit code 1.
 * - If the function throws a StartError, its message is printed on stderr. Any other error is printed with its stack.
 *   The exit code is 1.
 * - After an uncaught error, the process ends at once with exit code 1, because its state is unknown. The supervisor
 *   can then restart it.
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
