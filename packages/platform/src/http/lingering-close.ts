import type { Socket } from 'node:net';
import { type DrainLimits, limitDrain } from './drain-limits.ts';

/**
 * Closes a connection whose client may still be sending: ends this side after everything that was written, and
 * drops what arrives, within limits, until the client closes as well. A connection that is closed with unread bytes
 * would be reset instead, which discards an answer that the client has not read yet. Many clients read nothing before
 * they have sent everything.
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
