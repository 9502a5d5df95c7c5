import { NotFound } from '@sightline/core/store/not-found';
import type { Page } from '@sightline/core/store/page';
import { TooManyWebhooks, WebhookInactive } from '@sightline/core/webhooks/webhook-errors';
import type {
  DeliveredMessage,
  PingTarget,
  WebhookReader,
  WebhookWriter,
} from '@sightline/core/webhooks/webhook-store';
import {
  type Delivery,
  MAX_WEBHOOKS,
  type NewDelivery,
  type NewWebhook,
  SETTING_LABEL,
  type Webhook,
  type WebhookChanges,
} from '@sightline/core/webhooks/webhook';
import type { ReadContext } from '../database/store-context.ts';
import { takePage } from '../database/take-page.ts';
import { DELIVERY_COLUMNS, type MessageRow, READ_MESSAGE, toMessage } from './sent-message.ts';

const COLUMNS = `
  id, url, events, label, is_active AS "isActive", secret IS NOT NULL AS "hasSecret",
  disabled_reason AS "disabledReason", is_setting AS "isSetting", created_at AS "createdAt"`;

/** The secrets that sign messages: the current one and, for a day after a change, the previous one. */
export const SIGNING_SECRETS = `
  array_remove(ARRAY[secret, CASE WHEN secret_changed_at > now() - interval '24 hours'
    THEN previous_secret END], NULL)`;

/** The advisory lock that serializes registrations in an environment, so that the limit holds. */
const REGISTRATION = 7_446_118;

export class PostgresWebhookReader implements WebhookReader {
  protected readonly context: ReadContext;

  constructor(context: ReadContext) {
    this.context = context;
  }

  async list({
    before,
    limit,
  }: {
    readonly before: number | null;
    readonly limit: number;
  }): Promise<Page<Webhook>> {
    const rows = await this.query<Webhook>(
      `SELECT ${COLUMNS} FROM webhooks
       WHERE environment_id = $1 AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [before, limit + 1],
    );
    return takePage(rows, limit);
  }

  async byId(id: number): Promise<Webhook | null> {
    const [webhook] = await this.query<Webhook>(
      `SELECT ${COLUMNS} FROM webhooks WHERE environment_id = $1 AND id = $2`,
      [id],
    );
    return webhook ?? null;
  }

  async toPing(id: number): Promise<PingTarget | null> {
    const [target] = await this.query<PingTarget>(
      `SELECT url, ${SIGNING_SECRETS} AS secrets, uuidv7() AS "eventId" FROM webhooks
       WHERE environment_id = $1 AND id = $2`,
      [id],
    );
    return target ?? null;
  }

  async deliveries(id: number, limit: number): Promise<readonly Delivery[]> {
    return this.query<Delivery>(
      `SELECT ${DELIVERY_COLUMNS}
       FROM (
         SELECT * FROM webhook_deliveries WHERE environment_id = $1 AND webhook_id = $2
         ORDER BY id DESC LIMIT $3
       ) d
       ORDER BY d.created_at DESC, d.id DESC`,
      [id, limit],
    );
  }

  async message(id: number, deliveryId: number): Promise<DeliveredMessage | null> {
    const [row] = await this.query<MessageRow>(READ_MESSAGE, [id, deliveryId]);
    return row === undefined ? null : toMessage(id, row);
  }

  /** Runs a statement whose first parameter is the environment. */
  protected query<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    const { session, environmentId } = this.context;
    return session.query<Row>(text, [environmentId, ...values]);
  }
}

export class PostgresWebhookWriter extends PostgresWebhookReader implements WebhookWriter {
  async create(webhook: NewWebhook): Promise<Webhook> {
    return this.#create(webhook, { isSetting: false });
  }

  async change(id: number, changes: WebhookChanges): Promise<Webhook> {
    const { url, events, label, secret, isActive } = changes;
    const [webhook] = await this.query<Webhook>(
      `UPDATE webhooks SET
         url = coalesce($3, url), events = coalesce($4::text[], events),
         label = CASE WHEN $5 THEN $6 ELSE label END,
         secret = CASE WHEN $7 THEN $8::bytea ELSE secret END,
         previous_secret = CASE WHEN NOT $7 THEN previous_secret WHEN $8::bytea IS NOT NULL THEN secret END,
         secret_changed_at = CASE WHEN $7 THEN now() ELSE secret_changed_at END,
         is_active = coalesce($9, is_active),
         disabled_reason = CASE WHEN $9 THEN NULL ELSE disabled_reason END,
         active_from = CASE WHEN $9 AND NOT is_active THEN pg_current_snapshot() ELSE active_from END
       WHERE environment_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
      [
        id,
        url ?? null,
        events ?? null,
        label !== undefined,
        label ?? null,
        secret !== undefined,
        secret ?? null,
        isActive ?? null,
      ],
    );
    if (webhook === undefined) throw new NotFound('webhook', id);
    if (isActive === false) await this.#forgetAttempts(id);
    // The dispatcher has to claim the webhook again, and thus reads its new values.
    await this.query(
      `UPDATE webhook_turns t SET token = NULL, lease_until = NULL,
         due_at = CASE WHEN w.is_active THEN now() END,
         failing_since = CASE WHEN $3 THEN NULL ELSE failing_since END,
         failures = CASE WHEN $3 THEN 0 ELSE failures END,
         xid = greatest(t.xid, pg_snapshot_xmin(w.active_from)),
         id = CASE WHEN t.xid < pg_snapshot_xmin(w.active_from) THEN 0 ELSE t.id END
       FROM webhooks w
       WHERE w.environment_id = $1 AND w.id = $2
         AND t.environment_id = w.environment_id AND t.webhook_id = w.id`,
      [id, isActive !== undefined],
    );
    return webhook;
  }

  async lockSecret(id: number): Promise<Uint8Array | null> {
    const [row] = await this.query<{ secret: Uint8Array | null }>(
      'SELECT secret FROM webhooks WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [id],
    );
    return row?.secret ?? null;
  }

  async remove(id: number): Promise<void> {
    const removed = await this.query(
      'DELETE FROM webhooks WHERE environment_id = $1 AND id = $2 RETURNING id',
      [id],
    );
    if (removed.length === 0) throw new NotFound('webhook', id);
  }

  async putSetting(url: string | null): Promise<void> {
    const [found] = await this.query<{ id: number }>(
      'SELECT id FROM webhooks WHERE environment_id = $1 AND is_setting',
      [],
    );
    if (url === null) {
      if (found !== undefined) await this.remove(found.id);
    } else if (found === undefined) {
      const webhook = { url, events: [], label: SETTING_LABEL, secret: null };
      await this.#create(webhook, { isSetting: true });
    } else {
      await this.change(found.id, { url, isActive: true });
    }
  }

  async sendAgain(
    id: number,
    { delivery, position, body }: DeliveredMessage & { readonly body: Uint8Array },
  ): Promise<void> {
    // The lock keeps the webhook from being switched off, which would forget the message.
    const active = await this.query(
      `SELECT FROM webhooks WHERE environment_id = $1 AND id = $2 AND is_active FOR SHARE`,
      [id],
    );
    if (active.length === 0) throw new WebhookInactive();
    await this.query(
      `INSERT INTO webhook_attempts
         (environment_id, webhook_id, xid, id, event_id, event, body, attempt, due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 1, now())
       ON CONFLICT (environment_id, webhook_id, xid, id) DO UPDATE SET due_at = excluded.due_at`,
      [id, position.xid, position.id, delivery.eventId, delivery.event, body],
    );
    await this.query(
      `UPDATE webhook_turns SET due_at = now() WHERE environment_id = $1 AND webhook_id = $2`,
      [id],
    );
  }

  async noteDelivery(id: number, delivery: NewDelivery): Promise<void> {
    const { eventId, event, attempt, statusCode, ok, durationMs, error } = delivery;
    await this.query(
      `INSERT INTO webhook_deliveries (environment_id, webhook_id, event_id, event, attempt,
         status_code, ok, duration_ms, error, created_at, next_attempt_at)
       SELECT $1, id, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM webhooks
       WHERE environment_id = $1 AND id = $2`,
      [
        id,
        eventId,
        event,
        attempt,
        statusCode,
        ok,
        durationMs,
        error,
        delivery.createdAt,
        delivery.nextAttemptAt,
      ],
    );
  }

  async #create(
    { url, events, label, secret }: NewWebhook,
    { isSetting }: { readonly isSetting: boolean },
  ): Promise<Webhook> {
    await this.query(`SELECT pg_advisory_xact_lock(${REGISTRATION}, $1::bigint::integer)`, []);
    const [webhook] = await this.query<Webhook>(
      `INSERT INTO webhooks (environment_id, url, events, label, secret, is_setting)
       SELECT $1, $2, $3::text[], $4, $5, $6
       WHERE (SELECT count(*) FROM webhooks WHERE environment_id = $1) < ${MAX_WEBHOOKS}
       RETURNING ${COLUMNS}`,
      [url, events, label, secret, isSetting],
    );
    if (webhook === undefined) throw new TooManyWebhooks();
    // The webhook is due at once, because events may have been committed during this transaction. The process that
    // wakes webhooks for new events may have handled these events before it could see this webhook.
    await this.query(
      `INSERT INTO webhook_turns (environment_id, webhook_id, xid, id, due_at)
       SELECT environment_id, id, pg_snapshot_xmin(active_from), 0, now() FROM webhooks
       WHERE environment_id = $1 AND id = $2`,
      [webhook.id],
    );
    return webhook;
  }

  async #forgetAttempts(id: number): Promise<void> {
    await this.query('DELETE FROM webhook_attempts WHERE environment_id = $1 AND webhook_id = $2', [
      id,
    ]);
  }
}
