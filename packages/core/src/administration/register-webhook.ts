import type { Database, Settle } from '../database/database.ts';
import { normalizeLabel } from '../identities/label.ts';
import type { Scope } from '../store/scope.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Webhook } from '../webhooks/webhook.ts';

export interface WebhookDeps {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** Checks the address of a webhook. @throws WebhookTargetRefused for an address that the service never calls */
  readonly checkTarget: (url: string) => Promise<void>;
}

export interface RegisterWebhookRequest extends Pick<Webhook, 'url' | 'events' | 'label'> {
  readonly scope: Scope;
  readonly secret: string | null;
}

/**
 * Registers a webhook.
 *
 * @throws WebhookTargetRefused, InvalidLabel, TooManyWebhooks, NoSecretKey, StoreUnavailable
 */
export async function registerWebhook(
  { database, secrets, checkTarget }: WebhookDeps,
  { scope, secret, label: given, ...webhook }: RegisterWebhookRequest,
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<Webhook> | undefined } = {},
): Promise<Webhook> {
  await checkTarget(webhook.url);
  const label = given === null ? null : normalizeLabel(given);
  const sealed = secret === null ? null : secrets.seal(secret, scope.environmentId);
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const registered = await tx.webhooks.create({ ...webhook, label, secret: sealed });
      await tx.audit({ entity: 'webhook', action: 'create', ids: [registered.id] });
      await options.settle?.(tx, registered);
      return registered;
    },
    options.signal,
  );
}
