import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

const PAUSE_MS = 50;
/** The limit in ms of a wait: a machine whose cores are all busy may need most of it. */
const LIMIT_MS = 120_000;
/** The limit in ms once a wait of the suite has failed, so that one defect does not hold up the run for an hour. */
const LIMIT_AFTER_FAILURE_MS = 15_000;

/** Jest loads this module once per suite. */
let hasFailed = false;

/** The end of a wait of a test, which depends on whether an earlier wait of the suite has failed. */
export class WaitLimit {
  readonly #ms: number;
  readonly #end: number;

  /** @param limitMs a longer limit in ms, for something that takes long on an idle machine, too */
  constructor(limitMs = LIMIT_MS) {
    this.#ms = hasFailed ? LIMIT_AFTER_FAILURE_MS : Math.max(limitMs, LIMIT_MS);
    this.#end = performance.now() + this.#ms;
  }

  /** Whether the wait has to give up. If so, later waits of the suite are shorter. */
  isOver(): boolean {
    const isOver = performance.now() > this.#end;
    if (isOver) hasFailed = true;
    return isOver;
  }

  /** The error of a wait that has given up. */
  error(what: string, seen: unknown, { cause }: ErrorOptions = {}): Error {
    const options = { depth: 6, breakLength: 120 };
    return new Error(
      `Waited ${this.#ms / 1000} s until ${what}. The last look found: ${inspect(seen, options)}`,
      { cause },
    );
  }
}

/**
 * Looks again and again until what it finds fulfills a condition.
 *
 * @param what the condition in words, for the error: "all images are stored"
 * @returns what the last look found
 * @throws Error with what the last look found if the condition does not hold for two minutes; 15 s after the first such
 *   failure of a suite
 */
export async function waitUntil<T>(
  what: string,
  look: () => T | Promise<T>,
  {
    isDone = Boolean,
    pauseMs = PAUSE_MS,
    limitMs,
  }: {
    /** The condition; by default, that something was found. */
    readonly isDone?: (found: T) => boolean;
    readonly pauseMs?: number;
    readonly limitMs?: number;
  } = {},
): Promise<T> {
  const limit = new WaitLimit(limitMs);
  for (;;) {
    const found = await look();
    if (isDone(found)) return found;
    if (limit.isOver()) throw limit.error(what, found);
    await delay(pauseMs);
  }
}
