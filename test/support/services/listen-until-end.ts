import { setTimeout as sleep } from 'node:timers/promises';
import { EventTransportUnavailable } from '@sightline/core/events/event-transport-unavailable';

/**
 * Listens as the processes do: what is away may be there a moment later, as is the coordinator of groups of a broker
 * that has just started.
 *
 * @returns the error that ended it
 */
export async function listenUntilEnd(listen: () => Promise<void>): Promise<unknown> {
  for (;;) {
    const error = await listen().catch((reason: unknown) => reason);
    if (!(error instanceof EventTransportUnavailable)) return error;
    await sleep(100);
  }
}
