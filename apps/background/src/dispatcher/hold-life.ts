/**
 * The phases of a hold on a webhook:
 *
 * - `sending`: attempts are read, and requests begin.
 * - `draining`: no request begins; those in flight end and are recorded, then the hold is released.
 * - `stopping`: as `draining`, but the requests in flight are cancelled, so their errors say nothing.
 * - `failed`: as `draining`, but the hold is left to expire, so that the next try does not follow at once.
 * - `lost`: another process may hold the webhook, so nothing more is recorded or released.
 */
export type HoldPhase = 'sending' | 'draining' | 'stopping' | 'failed' | 'lost';

/**
 * Events of a hold: there is no more to send for now (`end`: nothing is due, the hold's time is over, the webhook is
 * switched off); the process `stop`s; a request has thrown (`fail`); the database has refused a record,
 * because the hold has expired (`lose`).
 */
export type HoldEvent = 'end' | 'stop' | 'fail' | 'lose';

export const HOLD_LIFE: Readonly<Record<HoldPhase, Readonly<Record<HoldEvent, HoldPhase>>>> = {
  sending: { end: 'draining', stop: 'stopping', fail: 'failed', lose: 'lost' },
  draining: { end: 'draining', stop: 'stopping', fail: 'failed', lose: 'lost' },
  stopping: { end: 'stopping', stop: 'stopping', fail: 'stopping', lose: 'lost' },
  failed: { end: 'failed', stop: 'failed', fail: 'failed', lose: 'failed' },
  lost: { end: 'lost', stop: 'lost', fail: 'lost', lose: 'lost' },
};
