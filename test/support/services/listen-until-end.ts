import { setTimeout as sleep } from 'node:timers/promises';
import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';

/**
 * Listens with retries, as the processes do, because a broker that has just started has no group
 * coordinator yet.
 * @returns the error that ended the listening
 */
export async function listenUntilEnd(listen: () => Promise<void>): Promise<unknown> {
  for (;;) {
    const error = await listen().catch((reason: unknown) => reason);
    if (!(error instanceof EventTransportUnavailable)) return error;
    await sleep(100);
  }
}
