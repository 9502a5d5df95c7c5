import type { Clock } from './clock.ts';

/** A trivial request, which waits for nothing that other requests may hold. */
export type Ping = (signal: AbortSignal) => Promise<unknown>;

export type PingOutcome =
  | { readonly kind: 'answered' }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** `starved`: this process got too little time to be sure that the service is to blame. */
  | { readonly kind: 'missed'; readonly starved: boolean }
  | { readonly kind: 'abandoned' };

export interface PingOptions {
  readonly clock: Clock;
  /** Time for the answer, in ms. */
  readonly limitMs: number;
}

const TICK_MS = 50;
/** What one tick counts at most, in ms: while nothing ran here, no answer could be taken. */
const TICK_COUNTS_MS = 2 * TICK_MS;
/** The share of its limit by which the ticks of a ping may be late altogether. */
const STARVED_SHARE = 0.25;

/**
 * Pings, and says what came of it within the time in which this process could have noticed.
 *
 * A timer alone would blame the service for whatever keeps this process busy: when the event loop
 * has been blocked, or the system has run something else, timers go off before the sockets are read,
 * and an answer that arrived long ago looks late. So the wait is counted in ticks. A tick that comes
 * late counts no more than two, and after the last one another is waited for: between the two the
 * loop has read its sockets and run what follows from it. What remains is a machine with so little
 * time for everybody that the service may be waiting for it too: of that the delays of our own ticks
 * are the sign, and the caller is told to look again.
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
    waited += Math.min(elapsed, TICK_COUNTS_MS);
    cancel = clock.after(TICK_MS, tick);
  };
  let cancel = clock.after(TICK_MS, tick);
  void attempt(ping, controller.signal).then(resolve);
  void outcome.then(() => {
    cancel();
    controller.abort();
  });
  return {
    outcome,
    abandon: () => resolve({ kind: 'abandoned' }),
  };
}

async function attempt(ping: Ping, signal: AbortSignal): Promise<PingOutcome> {
  try {
    await ping(signal);
    return { kind: 'answered' };
  } catch (error) {
    return { kind: 'failed', error };
  }
}
