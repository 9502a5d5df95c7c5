import { normalizeLabel } from '../identities/label.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { SettingWebhookFixed } from '../webhooks/webhook-errors.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { WebhookDeps } from './register-webhook.ts';

export interface ChangeWebhookRequest {
  readonly scope: Scope;
  readonly id: number;
  /** Absent members do not change. */
  readonly changes: Partial<Pick<Webhook, 'url' | 'events' | 'label' | 'isActive'>> & {
    /** Null removes the secret. */
    readonly secret?: string | null;
  };
}

/**
 * Changes a webhook.
 *
 * @throws NotFound, SettingWebhookFixed, WebhookTargetRefused, InvalidLabel, NoSecretKey, StoreUnavailable
 */
export async function changeWebhook(
  { database, secrets, checkTarget }: WebhookDeps,
  { scope, id, changes: { secret, ...given } }: ChangeWebhookRequest,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Webhook> {
  if (given.url !== undefined) await checkTarget(given.url);
  const changes =
    typeof given.label === 'string' ? { ...given, label: normalizeLabel(given.label) } : given;
  const sealed = typeof secret === 'string' ? secrets.seal(secret, scope.environmentId) : secret;
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const webhook = await tx.webhooks.byId(id);
      if (webhook === null) throw new NotFound('webhook', id);
      if (webhook.isSetting && (changes.events ?? changes.label) !== undefined) {
        throw new SettingWebhookFixed();
      }
      const fields = Object.keys(secret === undefined ? given : { ...given, secret });
      await tx.audit({ entity: 'webhook', action: 'change', ids: [id], details: { fields } });
      return tx.webhooks.change(
        id,
        sealed === undefined ? changes : { ...changes, secret: sealed },
      );
    },
    options.signal,
  );
}
