import type { Database, Settle } from '../database/database.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { pingBody } from '../webhooks/message-body.ts';
import type { SendMessage, SendResult } from '../webhooks/send-message.ts';

export interface PingWebhookDeps {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly send: SendMessage;
}

/**
 * Sends one test message to a webhook, even if the webhook is not active, and records the attempt.
 *
 * @throws NotFound, NoSecretKey, UnknownSecretKey, StoreUnavailable; the signal's reason on abort
 */
export async function pingWebhook(
  { database, secrets, send }: PingWebhookDeps,
  { scope, id }: { readonly scope: Scope; readonly id: number },
  options: {
    readonly signal?: AbortSignal;
    readonly settle?: Settle<SendResult> | undefined;
  } = {},
): Promise<SendResult> {
  const { signal } = options;
  const target = await database.withScope(scope, ({ webhooks }) => webhooks.toPing(id), signal);
  if (target === null) throw new NotFound('webhook', id);
  const { url, eventId } = target;
  const createdAt = new Date();
  const result = await send(
    {
      environmentId: scope.environmentId,
      url,
      eventId,
      body: pingBody(id, { eventId, createdAt }),
      secrets: target.secrets.map((secret) => secrets.open(secret, scope.environmentId)),
    },
    signal,
  );
  const { ok, statusCode, durationMs, error } = result;
  await database.withEntities({ ...scope, locks: [] }, async (tx) => {
    const attempt = { eventId, event: 'ping', attempt: 1, createdAt, nextAttemptAt: null };
    await tx.webhooks.noteDelivery(id, { ...attempt, ok, statusCode, durationMs, error });
    await tx.audit({ entity: 'webhook', action: 'test', ids: [id] });
    await options.settle?.(tx, result);
  });
  return result;
}
