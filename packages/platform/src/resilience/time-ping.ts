import type { Clock } from './clock.ts';

/**
 * Sends a trivial request to the service. The request must not wait for a connection from a pool that other requests
 * use.
 */
export type Ping = (signal: AbortSignal) => Promise<unknown>;

export type PingOutcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /**
   * The answer did not arrive in time. `starved`: the process lacked CPU time, so the service may not be the cause.
   */
  | { readonly kind: 'missed'; readonly starved: boolean }
  | { readonly kind: 'abandoned' };

export interface PingOptions {
  readonly clock: Clock;
  /** The timeout of the ping, in ms. */
  readonly limitMs: number;
}

const TICK_MS = 50;
/**
 * The maximum time that one tick counts, in ms. More time passes only if the event loop was blocked and could not
 * receive the answer.
 */
const MAX_TICK_MS = 2 * TICK_MS;
/** The process counts as starved if the delays of all ticks together exceed this fraction of the ping's timeout. */
const STARVED_SHARE = 0.25;

/**
 * Sends a ping and measures the time in which this process could have received the answer.
 *
 * A single timer would blame the service for delays of this process. After a long computation, or while the system
 * runs other processes, timers fire before sockets are read, so that an answer that arrived in time looks late.
 * Therefore the time is counted in ticks. A late tick counts as at most two ticks. After the timeout, one more tick
 * passes, in which the event loop reads its sockets and runs the callbacks.
 *
 * If ticks are late, the machine lacks CPU time, and the service on it may lack CPU time, too. The outcome is then
 * marked as `starved`, so that the caller can ping again.
 *
 * @returns the outcome, which never rejects, and a function that ends the ping with the outcome `abandoned`
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
