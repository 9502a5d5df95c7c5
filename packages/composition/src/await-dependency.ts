import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@sightline/core/domain-error';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { errorCode } from '@sightline/platform/logging/error-codes';
import type { Logger } from '@sightline/platform/logging/logger';
import { meansAbsence } from './absence.ts';

/** How long a start waits for what is not there yet. */
export interface Patience {
  /** In ms. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const PAUSE_MS = 500;
const LOG_MS = 5_000;

/**
 * Does something that needs a service outside of this process, again and again until that one is up:
 * processes may be started in any order. What the service refuses, it refuses for good.
 *
 * @param what it is, as a sentence begins: `The database at db:5432`
 * @throws StartError if the service refuses, or does not come; the signal's reason on abort
 */
export async function awaitDependency<T>(
  what: string,
  { timeoutMs, logger, signal }: Patience,
  attempt: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  let told = begun;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const now = performance.now();
      if (now - begun >= timeoutMs || !meansAbsence(error)) throw explained(what, error);
      if (told === begun || now - told >= LOG_MS) {
        const seconds = Math.round((now - begun) / 1_000);
        logger.warn(
          { seconds, reason: reasonOf(error as Error) },
          `${what}: waiting for an answer`,
        );
        told = now;
      }
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
}

function explained(what: string, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  return new StartError(`${what} cannot be used: ${reasonOf(error)}`, { cause: error });
}

/** With the system's word for it, which tells a wrong name from a closed port. */
function reasonOf({ message, cause }: Error): string {
  if (cause === undefined) return message;
  const code = errorCode(cause);
  return !/^(E[A-Z]+|[A-Z]+(_[A-Z]+)+)$/.test(code) || message.includes(code)
    ? message
    : `${message.replace(/\.$/, '')} (${code}).`;
}
