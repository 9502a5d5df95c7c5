import type { InferenceRouteStatus } from '@sightline/contracts/cluster/inference-route';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import type { ObjectEvent } from '../apply/event-recorder.ts';
import type { RouteStatusPart } from '../plan/plan-route.ts';

const WARNINGS: readonly InferenceRouteStatus['phase'][] = [
  'Stalled',
  'RolledBack',
  'Blocked',
  'Empty',
];

/** The Events about a change of a route's status. */
export function routeEvents(
  before: InferenceRouteStatus | undefined,
  after: RouteStatusPart,
): readonly ObjectEvent[] {
  const { phase } = after;
  if (phase === undefined || phase === before?.phase) return [];
  const type = WARNINGS.includes(phase) ? 'Warning' : 'Normal';
  return [{ type, reason: phase, note: noteOf(after, type) }];
}

function noteOf({ conditions, desired }: RouteStatusPart, type: ObjectEvent['type']): string {
  const message = conditionOf(conditions, type === 'Warning' ? 'Stalled' : 'Ready')?.message ?? '';
  return message === '' ? `The requested model is ${desired?.model ?? 'unknown'}.` : message;
}
