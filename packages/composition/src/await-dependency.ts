import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@sightline/core/domain-error';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { errorCode } from '@sightline/platform/errors/error-codes';
import type { Logger } from '@sightline/platform/logging/logger';
import { isUnavailable } from './is-unavailable.ts';

export interface StartupWait {
  /** How long a start waits for an external service, in ms. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const RETRY_MS = 500;
const LOG_MS = 5_000;

/**
 * Retries a request to an external service until the service is available, because processes may start in any order. If
 * the service refuses the request, there is no retry.
 *
 * @param what the name of the service as the beginning of a sentence, such as `The database at db:5432`
 * @throws StartError if the service refuses the request, or is still unavailable after the timeout; the signal's reason
 *   on abort
 */
export async function awaitDependency<T>(
  what: string,
  { timeoutMs, logger, signal }: StartupWait,
  attempt: () => Promise<T>,
): Promise<T> {
  const start = performance.now();
  let loggedAt = start;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const now = performance.now();
      if (now - start >= timeoutMs || !isUnavailable(error)) throw explained(what, error);
      if (loggedAt === start || now - loggedAt >= LOG_MS) {
        const seconds = Math.round((now - start) / 1_000);
        logger.warn(
          { seconds, reason: reasonOf(error as Error) },
          `${what}: waiting for an answer`,
        );
        loggedAt = now;
      }
    }
    await delay(RETRY_MS, undefined, { signal });
  }
}

function explained(what: string, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  return new StartError(`${what} cannot be used: ${reasonOf(error)}`, { cause: error });
}

/** The message of an error, with the system's error code, which tells a wrong host name from a closed port. */
function reasonOf({ message, cause }: Error): string {
  if (cause === undefined) return message;
  const code = errorCode(cause);
  return !/^(E[A-Z]+|[A-Z]+(_[A-Z]+)+)$/.test(code) || message.includes(code)
    ? message
    : `${message.replace(/\.$/, '')} (${code}).`;
}
