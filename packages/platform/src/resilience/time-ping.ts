import type { Clock } from './clock.ts';

/** A trivial request. It must not wait for connections that other requests hold. */
export type Ping = (signal: AbortSignal) => Promise<unknown>;

export type PingOutcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** `starved`: the process was too short of CPU to blame the service. */
  | { readonly kind: 'missed'; readonly starved: boolean }
  | { readonly kind: 'abandoned' };

export interface PingOptions {
  readonly clock: Clock;
  /** Time for the answer, in ms. */
  readonly limitMs: number;
}

const TICK_MS = 50;
/** The most that one tick counts, in ms: a blocked event loop cannot receive an answer. */
const MAX_TICK_MS = 2 * TICK_MS;
/** If the timer's ticks are late by more than this share of the ping's limit in all, the process was starved. */
const STARVED_SHARE = 0.25;

/**
 * Sends a ping and measures the time in which this process could have received the answer.
 *
 * With a single timer the service would be blamed for whatever blocks this process: after a long
 * computation, or while the system runs other processes, timers fire before sockets are read, so that
 * an answer that arrived long ago looks late. Hence the time is counted in ticks. A late tick counts
 * as two at most, and after the limit one more tick passes, in which the event loop reads its sockets
 * and runs the callbacks.
 *
 * On a starved machine the service may be short of CPU as well. Late ticks show that: the outcome is
 * `starved`, and the caller pings again.
 *
 * @returns the outcome, which never rejects, and a function that ends the ping as `abandoned`
 */
export function timePing(
  ping: Ping,
  { clock, limitMs }: PingOptions,
): { readonly outcome: Promise<PingOutcome>; readonly abandon: () => void } {
  const { promise: outcome, resolve } = Promise.withResolvers<PingOutcome>();
  const controller = new AbortController();
  let [waited, late, tickedAt] = [0, 0, clock.now()];
  const tick = (): void => {
    const elapsed = clock.now() - tickedAt;
    tickedAt += elapsed;
    late += Math.max(0, elapsed - TICK_MS);
    if (waited >= limitMs) {
      resolve({ kind: 'missed', starved: late > limitMs * STARVED_SHARE });
      return;
    }
    waited += Math.min(elapsed, MAX_TICK_MS);
    cancel = clock.after(TICK_MS, tick);
  };
  let cancel = clock.after(TICK_MS, tick);
  void send(ping, controller.signal).then(resolve);
  void outcome.then(() => {
    cancel();
    controller.abort();
  });
  return { outcome, abandon: () => resolve({ kind: 'abandoned' }) };
}

async function send(ping: Ping, signal: AbortSignal): Promise<PingOutcome> {
  try {
    await ping(signal);
    return { kind: 'answered' };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
