import type { DuePosition, HeldCount, HeldWebhook } from '@sightline/core/webhooks/delivery-queue';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { WebhookSender, type WebhookSenderDeps } from './webhook-sender.ts';

export interface HeldWebhooksDeps extends Omit<WebhookSenderDeps, 'share'> {
  /** Called with the error that ended the sending to a webhook, such as an unavailable database. */
  readonly failed: (error: unknown) => void;
}

/**
 * How long a webhook stays reserved for this process without a heartbeat, in seconds. After a crash, another process
 * sends to the webhook once this time is over.
 */
const HOLD_SECONDS = 15;
/** The interval in ms between two heartbeats. */
export const HEARTBEAT_MS = 4_000;
/** The most webhooks to which a process sends at the same time. */
const MAX_HELD = 512;
/** The most webhooks of one environment to which a process sends at the same time. */
const SHARE = 32;
/**
 * The most webhooks that one claim reserves. Further ones are reserved when half of them have started, so that few
 * statements wait for the database, and an environment whose webhook has become due takes its turn.
 */
const CLAIM = 8;
/** How many due webhooks one claim reads. The next claim reads the following ones, until a round has read all. */
const READ = 1_000;
/** The number of failures in a row after which an endpoint counts as failing. */
const FAILING_AFTER = 3;
/**
 * The limits for webhooks whose endpoints have failed repeatedly: an endpoint that hangs holds its place until the request
 * times out.
 */
const FAILING = { max: MAX_HELD / 4, share: SHARE / 8, after: FAILING_AFTER };
/** How long a stopping process waits for requests in flight, in ms. Another process repeats unfinished requests. */
const GRACE_MS = 5_000;
/** The bytes of messages of all webhooks together, about. */
const MOST_BYTES = 8 * 1024 * 1024;

interface Hold {
  readonly webhook: HeldWebhook;
  readonly ended: Promise<void>;
  readonly abort: AbortController;
}

/** The claims that read all due webhooks one after the other. */
interface Round {
  /** The position up to which the claims have read. */
  readonly after: DuePosition | null;
  /** Whether a claim has reserved as many as it may, so that another round has to follow. */
  readonly leftSome: boolean;
  /** Whether the last claim was not one of the round. */
  readonly isPaused: boolean;
}

const FIRST_CLAIM: Round = { after: null, leftSome: false, isPaused: false };

export class HeldWebhooks implements AsyncDisposable {
  readonly #deps: HeldWebhooksDeps;
  readonly #holds = new Set<Hold>();
  #round: Round = FIRST_CLAIM;
  /** Whether webhooks may have become due since the last claim that read the newest ones. */
  #haveBecomeDue = false;

  constructor(deps: HeldWebhooksDeps) {
    this.#deps = deps;
  }

  /** Makes one of the next two claims read the webhooks that have become due most recently. */
  expectDue(): void {
    this.#haveBecomeDue = true;
  }

  /**
   * Starts to send to some webhooks that have due messages. Returns whether further ones may be due and have room.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  async take(signal: AbortSignal): Promise<{ readonly more: boolean }> {
    const limit = MAX_HELD - this.#holds.size;
    if (limit === 0) return { more: false };
    const { max, ...limits } = FAILING;
    const failing = { ...limits, limit: max - failingOf([...this.#holds]) };
    const { after, pauses } = this.#next();
    const { webhooks, end } = await this.#deps.queue.hold(
      {
        after,
        read: READ,
        most: CLAIM,
        limit,
        share: SHARE,
        failing,
        held: this.#held(),
        seconds: HOLD_SECONDS,
      },
      signal,
    );
    const starts = webhooks.map((webhook) => this.#begin(webhook));
    const isFull = webhooks.length === CLAIM;
    const leftSome = this.#round.leftSome || isFull;
    if (pauses) this.#round = { ...this.#round, leftSome, isPaused: true };
    else this.#round = end === null ? FIRST_CLAIM : { after: end, leftSome, isPaused: false };
    // They start in about this order.
    if (isFull) await orAbort(starts[CLAIM / 2]!, signal);
    return { more: pauses || end !== null || leftSome };
  }

  /**
   * Chooses whether the next claim pauses the round to read the webhooks that have become due most recently. Else their
   * messages would wait until the round has read all due webhooks. A pause is one claim long, so that the round ends
   * even if webhooks become due all the time.
   */
  #next(): { readonly after: DuePosition | null; readonly pauses: boolean } {
    const { after, isPaused } = this.#round;
    const pauses = after !== null && this.#haveBecomeDue && !isPaused;
    if (after !== null && !pauses) return { after, pauses };
    this.#haveBecomeDue = false;
    return { after: null, pauses };
  }

  /**
   * Renews the reservations of all webhooks. If one has expired, stops sending to its webhook, because another
   * process may send to it already. A caller calls this method every {@link HEARTBEAT_MS}, also while `take` waits.
   *
   * @throws StoreUnavailable
   */
  async renew(): Promise<void> {
    if (this.#holds.size === 0) return;
    const holds = [...this.#holds];
    const tokens = [...new Set(holds.map(({ webhook }) => webhook.token))];
    const renewed = new Set(await this.#deps.queue.renew(tokens, HOLD_SECONDS));
    for (const { webhook, abort } of holds) if (!renewed.has(webhook.token)) abort.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const holds = [...this.#holds];
    const timer = setTimeout(() => {
      for (const { abort } of holds) abort.abort();
    }, GRACE_MS);
    await Promise.all(holds.map(({ ended }) => ended));
    clearTimeout(timer);
  }

  /** Begins to send to a webhook. The result resolves once its first request is in flight, or nothing is due. */
  #begin(webhook: HeldWebhook): Promise<undefined> {
    const abort = new AbortController();
    const sender = new WebhookSender({ ...this.#deps, share: this.#share }, webhook, abort.signal);
    const ended = sender
      .run()
      .catch((error: unknown) => this.#deps.failed(error))
      .finally(() => this.#holds.delete(hold));
    const hold: Hold = { webhook, ended, abort };
    this.#holds.add(hold);
    return sender.started;
  }

  readonly #share = (): number => MOST_BYTES / this.#holds.size;

  #held(): readonly HeldCount[] {
    const held = Map.groupBy(this.#holds, ({ webhook }) => webhook.environmentId);
    return [...held].map(([environmentId, holds]) => ({
      environmentId,
      webhooks: holds.length,
      failing: failingOf(holds),
    }));
  }
}

/** The number of webhooks that were failing when they were reserved. */
function failingOf(holds: readonly Hold[]): number {
  return holds.filter(({ webhook }) => (webhook.failures?.count ?? 0) >= FAILING_AFTER).length;
}
