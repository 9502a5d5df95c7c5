import { WebhookTargetRefused } from '@sightline/core/webhooks/webhook-errors';
import { TargetRefused } from '@sightline/platform/outgoing/outgoing-errors';
import { checkTargetUrl } from '@sightline/platform/outgoing/target-guard';

/**
 * Refuses a URL that is invalid by its text alone. The IP addresses of its host are checked later, at each delivery
 * attempt.
 *
 * @throws WebhookTargetRefused
 */
export function checkTarget(url: string): void {
  try {
    checkTargetUrl(new URL(url));
  } catch (error) {
    throw error instanceof TargetRefused ? new WebhookTargetRefused() : error;
  }
}
