import type { SendResult } from '@sightline/core/webhooks/send-message';
import type { DisabledReason } from '@sightline/core/webhooks/webhook';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter } from 'prom-client';

export interface DispatcherObserver {
  attempted(result: Pick<SendResult, 'ok' | 'statusCode'>): void;
  switchedOff(reason: DisabledReason): void;
}

export function createDispatcherMetrics(registry: MetricsRegistry): DispatcherObserver {
  const registers = [registry];
  const attempts = new Counter({
    name: 'sightline_webhook_attempts_total',
    help: 'Attempts to send a message to a webhook, by result: delivered, refused by a status, or unanswered.',
    labelNames: ['result'],
    registers,
  });
  const off = new Counter({
    name: 'sightline_webhooks_switched_off_total',
    help: 'Webhooks that this process has switched off, by reason: gone or failing.',
    labelNames: ['reason'],
    registers,
  });
  return {
    attempted: (result) => attempts.inc({ result: nameOf(result) }),
    switchedOff: (reason) => off.inc({ reason }),
  };
}

function nameOf({ ok, statusCode }: Pick<SendResult, 'ok' | 'statusCode'>): string {
  if (ok) return 'delivered';
  return statusCode === null ? 'unanswered' : 'refused';
}
