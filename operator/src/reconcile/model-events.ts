import type { InferenceModelStatus } from '@sightline/contracts/cluster/inference-model';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import type { ObjectEvent } from '../apply/event-recorder.ts';

/** The Events about a change of a model's status. A failure that repeats has an Event only the first time. */
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
  // The state Failed has no Event, because the failure itself has one.
  if (state === undefined || state === before?.state || state === 'Failed') return [];
  const isServing = state !== 'NotServing';
  const note = conditionOf(conditions, isServing ? 'Ready' : 'Active')?.message ?? '';
  const type = isServing ? 'Normal' : 'Warning';
  return [{ type, reason: state, note: note === '' ? `It is ${state}.` : note }];
}
