/** A receiver of events. */
export interface Webhook {
  readonly id: number;
  readonly url: string;
  /** The names of the events that it gets; empty: all. */
  readonly events: readonly string[];
  readonly label: string | null;
  readonly isActive: boolean;
  readonly hasSecret: boolean;
  /** Why the service has switched it off; null if it has not. */
  readonly disabledReason: DisabledReason | null;
  /** Whether it is the one that the setting `webhook.url` names. */
  readonly isSetting: boolean;
  readonly createdAt: Date;
}

/** `gone`: the endpoint answered 410. `failing`: every attempt has failed for days. */
export type DisabledReason = 'gone' | 'failing';

export interface NewWebhook extends Pick<Webhook, 'url' | 'events' | 'label'> {
  /** Encrypted. */
  readonly secret: Uint8Array | null;
}

/** Absent fields stay as they are. */
export type WebhookChanges = Partial<NewWebhook & Pick<Webhook, 'isActive'>>;

/** An attempt that was made. */
export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  readonly event: string;
  /** From 1. */
  readonly attempt: number;
  /** Null without an answer. */
  readonly statusCode: number | null;
  readonly ok: boolean;
  readonly durationMs: number;
  /** One line; null if it succeeded. */
  readonly error: string | null;
  /** When it began. */
  readonly createdAt: Date;
  /** When the next one is due; null: there is none. */
  readonly nextAttemptAt: Date | null;
}

export type NewDelivery = Omit<Delivery, 'id'>;

/** The label of the webhook that the setting `webhook.url` names. */
export const SETTING_LABEL = 'webhook.url';
export const MAX_WEBHOOKS = 100;
/** How many attempts are shown of each webhook. */
export const SHOWN_DELIVERIES = 50;
