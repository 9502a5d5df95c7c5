import { WebhookTargetRefused } from '@sightline/core/webhooks/webhook-errors';
import { TargetRefused } from '@sightline/platform/outgoing/outgoing-errors';
import { checkTargetUrl } from '@sightline/platform/outgoing/target-guard';

/**
 * Refuses URLs that are invalid whatever their name resolves to. Each attempt checks the addresses of the name.
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
