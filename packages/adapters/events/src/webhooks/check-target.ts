import {
  WebhookCredentialsRefused,
  WebhookTargetRefused,
} from '@sightline/core/webhooks/webhook-errors';
import { TargetRefused } from '@sightline/platform/outgoing/outgoing-errors';
import { checkTargetUrl, hasCredentials } from '@sightline/platform/outgoing/target-guard';

/**
 * Refuses a URL that is invalid by its text alone. The IP addresses of its host are checked later, at each delivery
 * attempt.
 *
 * @throws WebhookTargetRefused, WebhookCredentialsRefused
 */
export function checkTarget(text: string): void {
  const url = new URL(text);
  if (hasCredentials(url)) throw new WebhookCredentialsRefused();
  try {
    checkTargetUrl(url);
  } catch (error) {
    throw error instanceof TargetRefused ? new WebhookTargetRefused() : error;
  }
}
