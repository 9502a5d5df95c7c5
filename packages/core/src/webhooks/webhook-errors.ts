import { DomainError } from '../domain-error.ts';
import { MAX_WEBHOOKS } from './webhook.ts';

export class TooManyWebhooks extends DomainError {
  readonly code = 'limit_reached';

  constructor() {
    super(`An environment has at most ${MAX_WEBHOOKS} webhooks: delete one first.`);
  }
}

/** The webhook is switched off, so no message is sent to it. */
export class WebhookInactive extends DomainError {
  readonly code = 'webhook_inactive';

  constructor() {
    super('The webhook is switched off.');
  }
}

/** The event of a message was deleted. */
export class EventExpired extends DomainError {
  readonly code = 'event_expired';

  constructor() {
    super('The event of this message is no longer stored.');
  }
}

/** The address of a webhook is one that the service never calls. */
export class WebhookTargetRefused extends DomainError {
  readonly code = 'target_refused';

  constructor() {
    super(
      'This target is not allowed: use an http or https URL whose host has no reserved address and does not belong to this installation.',
    );
  }
}

/** The request changes events or label of the webhook that the setting `webhook.url` names. Both are fixed. */
export class SettingWebhookFixed extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super(
      'The setting webhook.url defines this webhook. Its events and its label cannot be changed.',
    );
  }
}

/** The address of a webhook contains a user name or a password. */
export class WebhookCredentialsRefused extends DomainError {
  readonly code = 'target_refused';

  constructor() {
    super(
      'The URL of a webhook must not contain a user name or a password: register it without them, with a secret by which the receiver verifies the signature.',
    );
  }
}
