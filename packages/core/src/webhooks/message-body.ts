import type { StoredEvent } from '../events/stored-event.ts';

/** The bytes that are sent and signed. All attempts to send an event send the same bytes. */
export function messageBody({
  event,
  data,
  eventId,
  createdAt,
}: Pick<StoredEvent, 'event' | 'data' | 'eventId' | 'createdAt'>): Uint8Array {
  // `data` is already JSON.
  return Buffer.from(
    `{"event":"${event}","data":${data},"id":"${eventId}","created_at":"${createdAt.toISOString()}"}`,
  );
}

/** The bytes of a test message. */
export function pingBody(webhookId: number, ping: Pick<StoredEvent, 'eventId' | 'createdAt'>) {
  return messageBody({ ...ping, event: 'ping', data: JSON.stringify({ webhook_id: webhookId }) });
}
