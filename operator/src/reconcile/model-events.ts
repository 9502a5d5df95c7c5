import type { InferenceModelStatus } from '@sightline/contracts/cluster/inference-model';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import type { ObjectEvent } from '../apply/event-recorder.ts';

/** The Events of a model whose status changes. A repeated failure has one Event. */
export function modelEvents(
  before: InferenceModelStatus | undefined,
  after: InferenceModelStatus,
): readonly ObjectEvent[] {
  return [...failureEvents(before, after), ...stateEvents(before, after)];
}

function failureEvents(
  before: InferenceModelStatus | undefined,
  { lastFailure }: InferenceModelStatus,
): readonly ObjectEvent[] {
  const { reason, message = '' } = lastFailure ?? {};
  if (reason === undefined || reason === before?.lastFailure?.reason) return [];
  return [{ type: 'Warning', reason, note: message }];
}

function stateEvents(
  before: InferenceModelStatus | undefined,
  { state, conditions }: InferenceModelStatus,
): readonly ObjectEvent[] {
  // A failure has an Event of its own, with the reason.
  if (state === undefined || state === before?.state || state === 'Failed') return [];
  const note = conditionOf(conditions, 'Ready')?.message ?? '';
  return [{ type: 'Normal', reason: state, note: note === '' ? `It is ${state}.` : note }];
}
