import type { EventPosition } from '../events/stored-event.ts';
import type { Page } from '../store/page.ts';
import type { Delivery, NewDelivery, NewWebhook, Webhook, WebhookChanges } from './webhook.ts';

export interface WebhookReader {
  /** Lists webhooks with ids below `before`, newest first. */
  list(page: { readonly before: number | null; readonly limit: number }): Promise<Page<Webhook>>;
  byId(id: number): Promise<Webhook | null>;
  /** Returns the values for a test message; null if the webhook does not exist. */
  toPing(id: number): Promise<PingTarget | null>;
  /** Returns the attempts that were recorded last, those that began last first. */
  deliveries(id: number, limit: number): Promise<readonly Delivery[]>;
  /** Returns an attempt with its message; null if there is no such attempt. */
  message(id: number, deliveryId: number): Promise<DeliveredMessage | null>;
}

/** An attempt and the message that it sent. */
export interface DeliveredMessage {
  readonly delivery: Delivery;
  /** The position of the event in the outbox; that of a message without an event is before all events. */
  readonly position: EventPosition;
  /** The bytes that were sent; null if the event is no longer stored. */
  readonly body: Uint8Array | null;
}

export interface PingTarget {
  readonly url: string;
  /** The encrypted secrets: the current one, and the previous one if it was replaced in the last 24 hours. */
  readonly secrets: readonly Uint8Array[];
  /** A new id for the test message. */
  readonly eventId: string;
}

export interface WebhookWriter {
  /**
   * Registers a webhook, which gets the events that are committed from now on.
   *
   * @throws TooManyWebhooks
   */
  create(webhook: NewWebhook): Promise<Webhook>;
  /**
   * Changes a webhook. A secret that replaces another one leaves that one valid for 24 hours; null ends both at once. Switching it off deletes the messages that are still to be sent. After switching it on, it
   * gets the events that are committed from then on.
   *
   * @throws NotFound
   */
  change(id: number, changes: WebhookChanges): Promise<Webhook>;
  /**
   * Returns the encrypted secret of a webhook, which no other transaction changes until this one ends; null if the webhook
   * does not exist or has none.
   */
  lockSecret(id: number): Promise<Uint8Array | null>;
  /** @throws NotFound */
  remove(id: number): Promise<void>;
  /** Changes the address of the webhook that the setting `webhook.url` names. With null, removes that webhook. */
  putSetting(url: string | null): Promise<void>;
  /**
   * Queues a message that was sent before. If its next attempt is still to come, that one is made now.
   *
   * @throws WebhookInactive
   */
  sendAgain(id: number, message: DeliveredMessage & { readonly body: Uint8Array }): Promise<void>;
  /** Records an attempt to send a message without an event, such as a test message. */
  noteDelivery(id: number, delivery: NewDelivery): Promise<void>;
}
