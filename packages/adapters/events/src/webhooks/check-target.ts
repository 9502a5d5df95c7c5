import { WebhookTargetRefused } from '@sightline/core/webhooks/webhook-errors';
import { TargetRefused } from '@sightline/platform/outgoing/outgoing-errors';
import { checkTargetUrl } from '@sightline/platform/outgoing/target-guard';

/**
 * Refuses what can be refused by looking at the URL. What its name resolves to is checked with each attempt.
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
