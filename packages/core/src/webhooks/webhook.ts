export interface Webhook {
  readonly id: number;
  readonly url: string;
  /** The names of the events that the webhook gets. It gets all events if the list is empty. */
  readonly events: readonly string[];
  readonly label: string | null;
  readonly isActive: boolean;
  readonly hasSecret: boolean;
  /** The reason for which the service has switched the webhook off; null if the service has not. */
  readonly disabledReason: DisabledReason | null;
  /** Whether the setting `webhook.url` names this webhook. */
  readonly isSetting: boolean;
  readonly createdAt: Date;
}

/** `gone`: the endpoint answered 410. `failing`: all attempts have failed for days. */
export type DisabledReason = 'gone' | 'failing';

export interface NewWebhook extends Pick<Webhook, 'url' | 'events' | 'label'> {
  readonly secret: Uint8Array | null;
}

/** Absent members do not change. */
export type WebhookChanges = Partial<NewWebhook & Pick<Webhook, 'isActive'>>;

export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  readonly event: string;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
  /** Null if the endpoint did not answer. */
  readonly statusCode: number | null;
  readonly ok: boolean;
  readonly durationMs: number;
  /** One line; null if the attempt succeeded. */
  readonly error: string | null;
  readonly createdAt: Date;
  /** The time of the next attempt; null if none follows. */
  readonly nextAttemptAt: Date | null;
}

export type NewDelivery = Omit<Delivery, 'id'>;

/** The label of the webhook that the setting `webhook.url` names. */
export const SETTING_LABEL = 'webhook.url';
export const MAX_WEBHOOKS = 100;
/** The number of attempts that the API shows of each webhook. */
export const SHOWN_DELIVERIES = 50;
