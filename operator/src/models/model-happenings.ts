import type { InferenceModelStatus } from '@sightline/kube/resources/inference-model';
import type { Happening } from '../apply/event-recorder.ts';
import { conditionOf } from '../plan/conditions.ts';

/** What people are told of a model whose status changes; a repeated failure is told once. */
export function modelHappenings(
  before: InferenceModelStatus | undefined,
  after: InferenceModelStatus,
): readonly Happening[] {
  const told: Happening[] = [];
  const { state, lastFailure } = after;
  if (lastFailure?.reason !== undefined && isNews(before?.lastFailure, lastFailure)) {
    const { reason, message = '' } = lastFailure;
    told.push({ type: 'Warning', reason, note: message });
  }
  if (state !== undefined && state !== before?.state && state !== 'Failed') {
    const note = conditionOf(after.conditions, 'Ready')?.message ?? '';
    told.push({ type: 'Normal', reason: state, note: note === '' ? `It is ${state}.` : note });
  }
  return told;
}

type Failure = NonNullable<InferenceModelStatus['lastFailure']>;

function isNews(before: Failure | undefined, after: Failure): boolean {
  return before?.reason !== after.reason;
}
