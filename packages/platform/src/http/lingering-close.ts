import type { Socket } from 'node:net';
import { type DrainLimits, limitDrain } from './drain-limits.ts';

/**
 * Closes a connection whose client may still be sending. Ends the sending direction after all written bytes, and drops
 * received bytes, within limits, until the client closes the connection too. Closing at once with unread bytes would
 * reset the connection, which discards a response that the client has not read yet. Many clients begin to read only
 * after they have sent the whole request.
 */
export function lingeringClose(socket: Socket, limits: DrainLimits): void {
  if (socket.destroyed) return;
  if (socket.readableEnded) {
    socket.end(() => socket.destroy());
    return;
  }
  socket.once('end', () => socket.destroy());
  limitDrain(socket, limits);
  socket.end();
  socket.resume();
}
