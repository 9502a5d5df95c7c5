/**
 * The phases of a hold, the time in which a webhook is reserved for this process:
 *
 * - `sending`: attempts are read and sent.
 * - `draining`: no request starts. Requests in flight end and are recorded, then the hold is released.
 * - `stopping`: like `draining`, but requests in flight are cancelled, and their errors are ignored.
 * - `failed`: like `draining`, but the hold is not released, so that the next process tries only when the hold
 *   expires.
 * - `lost`: another process may hold the webhook, so nothing is recorded or released anymore.
 */
export type HoldPhase = 'sending' | 'draining' | 'stopping' | 'failed' | 'lost';

/**
 * The events of a hold:
 *
 * - `end`: nothing is due, the hold has lasted long enough, or the webhook is switched off.
 * - `stop`: the process stops.
 * - `fail`: sending a message has thrown an error.
 * - `lose`: the database has refused to record attempts, because the hold has expired.
 */
export type HoldEvent = 'end' | 'stop' | 'fail' | 'lose';

export const HOLD_LIFE: Readonly<Record<HoldPhase, Readonly<Record<HoldEvent, HoldPhase>>>> = {
  sending: { end: 'draining', stop: 'stopping', fail: 'failed', lose: 'lost' },
  draining: { end: 'draining', stop: 'stopping', fail: 'failed', lose: 'lost' },
  stopping: { end: 'stopping', stop: 'stopping', fail: 'stopping', lose: 'lost' },
  failed: { end: 'failed', stop: 'failed', fail: 'failed', lose: 'failed' },
  lost: { end: 'lost', stop: 'lost', fail: 'lost', lose: 'lost' },
};
