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
    /** Null removes the secret, and also the one before it. The secret that the webhook has changes nothing. */
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
      const isSame =
        typeof secret === 'string' &&
        isSecretOf(secret, await tx.webhooks.lockSecret(id), (sealed) =>
          secrets.open(sealed, scope.environmentId),
        );
      const all = sealed === undefined || isSame ? changes : { ...changes, secret: sealed };
      const details = { fields: Object.keys(all) };
      await tx.audit({ entity: 'webhook', action: 'change', ids: [id], details });
      return tx.webhooks.change(id, all);
    },
    options.signal,
  );
}

/** Whether this is the stored secret. A stored secret that cannot be decrypted counts as another one. */
function isSecretOf(
  secret: string,
  stored: Uint8Array | null,
  open: (sealed: Uint8Array) => string,
): boolean {
  if (stored === null) return false;
  try {
    return open(stored) === secret;
  } catch {
    return false;
  }
}
