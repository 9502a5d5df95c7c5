import {
  WebhookCredentialsRefused,
  WebhookTargetRefused,
} from '@sightline/core/webhooks/webhook-errors';
import type { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { TargetRefused } from '@sightline/platform/outgoing/outgoing-errors';
import { hasCredentials } from '@sightline/platform/outgoing/target-guard';

/**
 * Returns a check of a webhook's URL, which refuses what its text alone rules out. A name in it is looked up at each
 * delivery attempt, which checks its addresses.
 *
 * The check throws WebhookTargetRefused and WebhookCredentialsRefused.
 */
export function checkTargets(
  outgoing: Pick<GuardedFetch, 'check'>,
): (url: string) => Promise<void> {
  return async (text) => {
    if (hasCredentials(new URL(text))) throw new WebhookCredentialsRefused();
    try {
      await outgoing.check(text, 'private');
    } catch (error) {
      throw error instanceof TargetRefused ? new WebhookTargetRefused() : error;
    }
  };
}
