import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import { toTime } from './time.ts';

/** `metav1.Condition`, with what this product always sets. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
  /** One word, for programs. */
  readonly reason: string;
  /** A sentence, for people. */
  readonly message: string;
}

/** What was found of a condition now. */
export interface Finding {
  readonly holds: boolean;
  readonly reason: string;
  readonly message: string;
}

export interface Occasion {
  /** Of the object whose conditions they are. */
  readonly generation: number;
  /** In ms since 1970. */
  readonly now: number;
}

export function finding(holds: boolean, reason: string, message = ''): Finding {
  return { holds, reason, message };
}

/** Conditions as they are found; their time moves with the status alone. */
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
