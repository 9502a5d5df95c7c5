import type { LostActivation } from '../models/activation-store.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import type { DesiredSlot } from './rollout-source.ts';

/** A failed activation job is repeated after this time, and then after twice the time before, in ms. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

/** The last activation job that the rollout began for a slot. */
export interface Attempt {
  readonly generation: number;
  readonly beganAt: number;
  /** How long after its begin another one may begin, in ms: each inserts a row and looks through all faces. */
  readonly pauseMs: number;
}

/** The facts on which the next step of a slot depends. */
export interface SlotFacts {
  readonly desired: DesiredSlot;
  /** The active model of the slot; null: there is none. */
  readonly active: Pick<RegisteredModel, 'revision'> | null;
  /** Whether an activation of the slot is pending. */
  readonly isPending: boolean;
  /** The row of the desired model; null: no process has reported it. */
  readonly row: RegisteredModel | null;
  /** Whether this process finds one that has the desired model warm. */
  readonly isFound: boolean;
  /** The activation of the slot that was rolled back or cancelled last; null: none was. */
  readonly lost: LostActivation | null;
  /** The generation for which the loss was found, as long as that is not published; null: it was not found before. */
  readonly lostAt: number | null;
  readonly attempt: Attempt | null;
  /** Monotonic, in ms. */
  readonly now: number;
}

/**
 * The state of a slot: the desired model is active, or there is none (`idle`); it is not available, found, or approved
 * (`waiting`); an activation is pending (`embedding`); its last job failed (`backing off`); it was rolled back or
 * cancelled, and is not repeated until the desired state changes (`rolled back`); the desired state has changed since
 * (`reset`), which counts once the loss is forgiven; it can be switched to now (`due`), or after enrolled faces are
 * embedded (`due after embedding`).
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

/** The state of a slot whose desired model may be switched to, but for what that waits for. */
function stateOfMissing(facts: SlotFacts): SlotState {
  const { desired, active, row, isFound } = facts;
  if (desired.availability.kind !== 'available' || !isFound || row === null) {
    return { kind: 'waiting', for: 'availability' };
  }
  // If no model is active, there is nothing to embed.
  if (active === null) return { kind: 'due', row };
  if (!desired.isApproved) return { kind: 'waiting', for: 'approval' };
  if (row.embeddingDim === null || desired.reembed === 'after') return { kind: 'due', row };
  return pauseOf(facts) ?? { kind: 'due after embedding', row };
}

/** The attempt that begins now. */
export function nextAttempt(
  before: Attempt | null,
  { generation }: DesiredSlot,
  now: number,
): Attempt {
  const isRepeated = before?.generation === generation;
  const pauseMs = isRepeated ? Math.min(2 * before.pauseMs, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
  return { generation, beganAt: now, pauseMs };
}

/** Why an activation is not repeated, as a sentence. */
export function reasonOf({ reason }: LostActivation): string {
  return reason ?? CANCELLED;
}

const CANCELLED =
  'Its activation was cancelled: it is tried again once the route changes, or the API is asked for it.';

/** Until the loss is published, only this process knows for which generation it was found. */
function hasChangedSince({ desired, lostAt }: SlotFacts): boolean {
  if (desired.rolledBack !== null) return desired.rolledBack === 'previous';
  return lostAt !== null && lostAt !== desired.generation;
}

function pauseOf({ attempt, desired, now }: SlotFacts): SlotState | null {
  if (attempt?.generation !== desired.generation) return null;
  const until = attempt.beganAt + attempt.pauseMs;
  return now < until ? { kind: 'backing off', until } : null;
}
