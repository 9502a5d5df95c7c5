import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import { toTime } from './time.ts';

/** `metav1.Condition`, with the members that this product always sets. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
  /** The reason as one word, for programs. */
  readonly reason: string;
  /** The message as a sentence, for people. */
  readonly message: string;
}

/** The current state of a condition. */
export interface Finding {
  readonly holds: boolean;
  readonly reason: string;
  readonly message: string;
}

/** The version of an object for which conditions are computed, and the time at which they are. */
export interface Occasion {
  /** The generation of the object that has the conditions. */
  readonly generation: number;
  /** The time in ms since 1970. */
  readonly now: number;
}

export function finding(holds: boolean, reason: string, message = ''): Finding {
  return { holds, reason, message };
}

/** Builds conditions from findings. The transition time of a condition changes only with its status. */
export function toConditions(
  findings: Readonly<Record<string, Finding>>,
  before: readonly Condition[] | undefined,
  { generation, now }: Occasion,
): readonly Condition[] {
  return Object.entries(findings).map(([type, { holds, reason, message }]) => {
    const status = holds ? 'True' : 'False';
    const known = conditionOf(before, type);
    const lastTransitionTime = known?.status === status ? known.lastTransitionTime : toTime(now);
    return { type, status, observedGeneration: generation, lastTransitionTime, reason, message };
  });
}

export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}
