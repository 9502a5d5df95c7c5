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
  return [...phaseEvents(before, after), ...servingEvents(before, after)];
}

function phaseEvents(
  before: InferenceRouteStatus | undefined,
  after: RouteStatusPart,
): readonly ObjectEvent[] {
  const { phase } = after;
  if (phase === undefined || phase === before?.phase) return [];
  const type = WARNINGS.includes(phase) ? 'Warning' : 'Normal';
  return [{ type, reason: phase, note: noteOf(after, type) }];
}

/** The Event about an active model that no pod serves any longer. */
function servingEvents(
  before: InferenceRouteStatus | undefined,
  after: RouteStatusPart,
): readonly ObjectEvent[] {
  const ready = conditionOf(after.conditions, 'Ready');
  const known = conditionOf(before?.conditions, 'Ready');
  if (ready?.reason !== 'NotServing' || known?.reason === 'NotServing') return [];
  return [{ type: 'Warning', reason: 'NotServing', note: ready.message }];
}

function noteOf({ conditions, desired }: RouteStatusPart, type: ObjectEvent['type']): string {
  const message = conditionOf(conditions, type === 'Warning' ? 'Stalled' : 'Ready')?.message ?? '';
  return message === '' ? `The requested model is ${desired?.model ?? 'unknown'}.` : message;
}
