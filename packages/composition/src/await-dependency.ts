import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@sightline/core/domain-error';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';

/** How long a start waits for what is not there yet. */
export interface Patience {
  /** In ms. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const PAUSE_MS = 500;
const LOG_MS = 5_000;

/** What the system, a driver or a server says where nobody listens yet, or not to everyone. */
const NOT_YET = [
  /^E(AI_AGAIN|CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|PIPE|TIMEDOUT)$/,
  /^ENOENT$/, // the socket of a database
  /^UND_ERR_/,
  /^SILENT$/,
  /^HTTP_5\d\d$/,
  /^57P0\d$/, // it stops or starts
  /^53300$/, // it has no connection left
  /^HANGS$/,
  /^08/,
];
/** What a driver says that has no code. */
const LOST = /^(Connection terminated|timeout exceeded|timeout expired|fetch failed)/;

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
      if (now - begun >= timeoutMs || !isNotUpYet(error)) throw explained(what, error);
      if (told === begun || now - told >= LOG_MS) {
        const seconds = Math.round((now - begun) / 1_000);
        logger.warn({ seconds, reason: (error as Error).message }, `${what} is waited for`);
        told = now;
      }
    }
    await delay(PAUSE_MS, undefined, { signal });
  }
}

/** Whether somebody who waits may get another answer. */
function isNotUpYet(error: unknown): boolean {
  for (let at: unknown = error; isErrorLike(at); at = at.cause) {
    const { code, message } = at;
    if (typeof code === 'string' && NOT_YET.some((each) => each.test(code))) return true;
    if (LOST.test(message)) return true;
  }
  return false;
}

function explained(what: string, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  return new StartError(`${what} cannot be used: ${error.message}`, { cause: error });
}

interface ErrorLike {
  readonly message: string;
  readonly code?: unknown;
  readonly cause?: unknown;
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === 'object' && value !== null && 'message' in value;
}
