import { DomainError } from '../domain-error.ts';
import { MAX_WEBHOOKS } from './webhook.ts';

export class TooManyWebhooks extends DomainError {
  readonly code = 'limit_reached';

  constructor() {
    super(`An environment has at most ${MAX_WEBHOOKS} webhooks.`);
  }
}

/** The address of a webhook is one that the service never calls. */
export class WebhookTargetRefused extends DomainError {
  readonly code = 'target_refused';

  constructor() {
    super('This target is not allowed.');
  }
}

/** The request changes events or label of the webhook that the setting `webhook.url` names. Both are fixed. */
export class SettingWebhookFixed extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super('Events and label of the webhook of the setting webhook.url cannot be changed.');
  }
}

/** The installation cannot encrypt secrets. */
export class NoSecretKey extends DomainError {
  readonly code = 'no_secret_key';

  constructor() {
    super('The installation has no key to encrypt secrets with: set SIGHTLINE_SECRET_KEY.');
  }
}
