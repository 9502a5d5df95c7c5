import type { Socket } from 'node:net';

/** Limits for received bytes that no handler reads. */
export interface DrainLimits {
  /** Longest time without a byte, in ms. */
  readonly silenceMs: number;
  readonly totalMs: number;
  readonly maxBytes: number;
}

export const DRAIN_LIMITS: DrainLimits = {
  silenceMs: 5_000,
  totalMs: 30_000,
  maxBytes: 256 * 1024 ** 2,
};

/**
 * Closes the connection if its client sends for too long, sends too much or falls silent before the limits are
 * lifted.
 *
 * @returns a function that lifts them
 */
export function limitDrain(socket: Socket, limits: DrainLimits): () => void {
  const giveUp = (): void => void socket.destroy();
  const silence = setTimeout(giveUp, limits.silenceMs).unref();
  const total = setTimeout(giveUp, limits.totalMs).unref();
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    silence.refresh();
    bytes += chunk.length;
    if (bytes > limits.maxBytes) giveUp();
  };
  const lift = (): void => {
    clearTimeout(silence);
    clearTimeout(total);
    socket.off('data', count).off('close', lift);
  };
  socket.on('data', count).once('close', lift);
  return lift;
}
