import type { Database, Settle } from '../database/database.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { EventExpired } from '../webhooks/webhook-errors.ts';
import type { DeliveredMessage } from '../webhooks/webhook-store.ts';

/**
 * Queues the message of an earlier attempt, so that a dispatcher sends it again.
 *
 * @throws NotFound, WebhookInactive, EventExpired, StoreUnavailable; the signal's reason on abort
 */
export function sendDelivery(
  { database }: { readonly database: Pick<Database, 'withEntities'> },
  {
    scope,
    id,
    deliveryId,
  }: { readonly scope: Scope; readonly id: number; readonly deliveryId: number },
  options: {
    readonly signal?: AbortSignal;
    readonly settle?: Settle<DeliveredMessage> | undefined;
  } = {},
): Promise<DeliveredMessage> {
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const message = await tx.webhooks.message(id, deliveryId);
      if (message === null) throw new NotFound('delivery', deliveryId);
      if (message.body === null) throw new EventExpired();
      await tx.webhooks.sendAgain(id, { ...message, body: message.body });
      const details = { event_id: message.delivery.eventId };
      await tx.audit({ entity: 'webhook', action: 'send', ids: [id], details });
      await options.settle?.(tx, message);
      return message;
    },
    options.signal,
  );
}
