import type { SendMessage, SendResult } from '@sightline/core/webhooks/send-message';
import type { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import {
  FetchFailed,
  FetchTimeout,
  TargetRefused,
} from '@sightline/platform/outgoing/outgoing-errors';
import { retryAfterMs } from './retry-after.ts';
import { signMessage } from './sign-message.ts';

/** The timeout of a whole request (connect, headers and body), in ms. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Sends webhook messages with a client that checks the addresses of their targets. */
export function postMessages(outgoing: Pick<GuardedFetch, 'post'>): SendMessage {
  return async ({ environmentId, url, eventId, body, secrets }, signal) => {
    const began = performance.now();
    const ended = (result: Omit<SendResult, 'durationMs'>): SendResult => ({
      ...result,
      durationMs: Math.round(performance.now() - began),
    });
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = signMessage({ id: eventId, timestamp, body, secrets });
    try {
      const { status, headers } = await outgoing.post(url, {
        environmentId,
        reach: 'private',
        headers: { 'content-type': 'application/json', ...signed },
        body,
        maxAnswerBytes: MAX_ANSWER_BYTES,
        timeoutMs: TIMEOUT_MS,
        signal,
      });
      const ok = status >= 200 && status < 300;
      return ended({
        ok,
        statusCode: status,
        error: ok ? null : `The endpoint answered with status ${status}.`,
        retryAfterMs: ok ? null : retryAfterMs(headers['retry-after'], Date.now()),
      });
    } catch (error) {
      if (!isFailed(error)) throw error;
      return ended({ ok: false, statusCode: null, error: error.message, retryAfterMs: null });
    }
  };
}

function isFailed(error: unknown): error is Error {
  return (
    error instanceof TargetRefused || error instanceof FetchFailed || error instanceof FetchTimeout
  );
}
