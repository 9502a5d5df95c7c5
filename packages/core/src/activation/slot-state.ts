import type { LostActivation } from '../models/activation-store.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import type { DesiredSlot } from './rollout-source.ts';

/** The pause before a failed activation job is repeated, in ms. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

/** The last activation job that the rollout created for a slot. */
export interface Attempt {
  readonly generation: number;
  readonly beganAt: number;
  /** The minimum time from `beganAt` to the next job, in ms. Each job scans all faces, so jobs must be rare. */
  readonly pauseMs: number;
}

export interface SlotFacts {
  readonly desired: DesiredSlot;
  readonly active: Pick<RegisteredModel, 'revision'> | null;
  readonly isPending: boolean;
  /** The database row of the desired model; null if no process has reported the model. */
  readonly row: RegisteredModel | null;
  /** Whether this process finds a host that has loaded the desired model. */
  readonly isFound: boolean;
  /** The slot's last activation that was rolled back or cancelled; null if there is none. */
  readonly lost: LostActivation | null;
  /**
   * The generation of the desired state when this process first found `lost`; null if this process has not found it.
   */
  readonly lostAt: number | null;
  readonly attempt: Attempt | null;
  /** The monotonic time, in ms. */
  readonly now: number;
}

/**
 * The state of a slot.
 *
 * - `idle`: no model is desired, or the desired model is active.
 * - `waiting`: the desired model is not available or not approved.
 * - `embedding`: an activation is pending.
 * - `backing off`: the last activation job failed, and the next one has to wait.
 * - `rolled back`: the activation was rolled back or cancelled, and is not repeated until the desired state changes.
 * - `reset`: the desired state has changed since the rollback or cancellation. The store must allow a retry before
 *   the model can be activated again.
 * - `due`: the switch can happen now.
 * - `due after embedding`: the switch can happen once enrolled faces are embedded.
 */
export type SlotState =
  | { readonly kind: 'idle' | 'embedding' | 'reset' }
  | { readonly kind: 'waiting'; readonly for: 'availability' | 'approval' }
  | { readonly kind: 'backing off'; readonly until: number }
  | { readonly kind: 'rolled back'; readonly reason: string }
  | { readonly kind: 'due' | 'due after embedding'; readonly row: RegisteredModel };

export function slotState(facts: SlotFacts): SlotState {
  const { desired, active, isPending, lost } = facts;
  const { revision } = desired.model ?? { revision: null };
  if (lost !== null && hasChangedSince(facts)) return { kind: 'reset' };
  if (isPending) return { kind: 'embedding' };
  if (revision === null || active?.revision === revision) return { kind: 'idle' };
  if (lost?.revision === revision) return { kind: 'rolled back', reason: reasonOf(lost) };
  return stateOfMissing(facts);
}

/**
 * The state of a slot whose desired model is not active, and whose activation was neither rolled back nor cancelled.
 */
function stateOfMissing(facts: SlotFacts): SlotState {
  const { desired, active, row, isFound } = facts;
  if (desired.availability.kind !== 'available' || !isFound || row === null) {
    return { kind: 'waiting', for: 'availability' };
  }
  // The first model of a slot needs neither approval nor a wait, because no stored face has to be embedded again.
  if (active === null) return { kind: 'due', row };
  if (!desired.isApproved) return { kind: 'waiting', for: 'approval' };
  if (row.embeddingDim === null || desired.reembed === 'after') return { kind: 'due', row };
  return pauseOf(facts) ?? { kind: 'due after embedding', row };
}

/**
 * The attempt that begins now. Its pause is twice that of the previous attempt if the desired state has not changed
 * since then.
 */
export function nextAttempt(
  before: Attempt | null,
  { generation }: DesiredSlot,
  now: number,
): Attempt {
  const isRepeated = before?.generation === generation;
  const pauseMs = isRepeated ? Math.min(2 * before.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
  return { generation, beganAt: now, pauseMs };
}

export function reasonOf({ reason }: LostActivation): string {
  return reason ?? CANCELLED;
}

const CANCELLED =
  'The activation was cancelled. It is retried once the route changes or a caller activates the model by the API.';

/** Whether the desired state has changed since the activation was rolled back or cancelled. */
function hasChangedSince({ desired, lostAt }: SlotFacts): boolean {
  if (desired.rolledBack !== null) return desired.rolledBack === 'previous';
  return lostAt !== null && lostAt !== desired.generation;
}

function pauseOf({ attempt, desired, now }: SlotFacts): SlotState | null {
  if (attempt?.generation !== desired.generation) return null;
  const until = attempt.beganAt + attempt.pauseMs;
  return now < until ? { kind: 'backing off', until } : null;
}
