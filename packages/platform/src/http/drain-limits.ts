import type { Socket } from 'node:net';

/** Limits for a client that sends bytes which no handler reads. */
export interface DrainLimits {
  /** The maximum time without a byte, in ms. */
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
 * Closes the connection if its client exceeds one of the limits.
 *
 * @returns a function that removes the limits
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
