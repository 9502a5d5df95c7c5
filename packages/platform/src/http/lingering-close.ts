import type { Socket } from 'node:net';
import { type DrainLimits, limitDrain } from './drain-limits.ts';

/**
 * Closes a connection whose client may still be sending: what was written is followed by the end, and
 * what comes is dropped, within limits, until the client closes, too. A connection that is closed with
 * bytes unread is reset instead, which discards an answer that the client has not read yet; many
 * clients read nothing before they have sent all.
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
