import type { Page } from '../store/page.ts';
import type { Delivery, NewDelivery, NewWebhook, Webhook, WebhookChanges } from './webhook.ts';

/** The webhooks of an environment. */
export interface WebhookReader {
  /** Newest first, of ids below `before`. */
  list(page: { readonly before: number | null; readonly limit: number }): Promise<Page<Webhook>>;
  byId(id: number): Promise<Webhook | null>;
  /** The fields that a test message needs. */
  toPing(id: number): Promise<PingTarget | null>;
  /** The attempts that were made last, newest first. */
  deliveries(id: number, limit: number): Promise<readonly Delivery[]>;
}

export interface PingTarget {
  readonly url: string;
  /** The encrypted secrets: the current one first, then the one that was replaced in the last 24 hours. */
  readonly secrets: readonly Uint8Array[];
  /** A new id for the test message. */
  readonly eventId: string;
}

export interface WebhookWriter {
  /**
   * Registers a webhook. It gets the events that are committed from now on.
   *
   * @throws TooManyWebhooks
   */
  create(webhook: NewWebhook): Promise<Webhook>;
  /**
   * Changes a webhook. One that is switched off loses its outstanding deliveries; one that is
   * switched on gets the events that are committed from then on.
   *
   * @throws NotFound
   */
  change(id: number, changes: WebhookChanges): Promise<Webhook>;
  /** @throws NotFound */
  remove(id: number): Promise<void>;
  /** Changes the address of the setting `webhook.url`, or removes its webhook if it is null. */
  putSetting(url: string | null): Promise<void>;
  /** Records an attempt that delivered no event, such as a test message. */
  noteDelivery(id: number, delivery: NewDelivery): Promise<void>;
}
