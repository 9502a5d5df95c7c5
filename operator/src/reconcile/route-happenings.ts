import type { InferenceRouteStatus } from '@sightline/contracts/cluster/inference-route';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import type { Happening } from '../apply/event-recorder.ts';
import type { RouteStatusPart } from '../plan/plan-route.ts';

const WARNINGS: readonly InferenceRouteStatus['phase'][] = [
  'Stalled',
  'RolledBack',
  'Blocked',
  'Empty',
];

/** The Events of a route whose status changes. */
export function routeHappenings(
  before: InferenceRouteStatus | undefined,
  after: RouteStatusPart,
): readonly Happening[] {
  const { phase } = after;
  if (phase === undefined || phase === before?.phase) return [];
  const type = WARNINGS.includes(phase) ? 'Warning' : 'Normal';
  return [{ type, reason: phase, note: noteOf(after, type) }];
}

function noteOf({ conditions, desired }: RouteStatusPart, type: Happening['type']): string {
  const told = conditionOf(conditions, type === 'Warning' ? 'Stalled' : 'Ready')?.message ?? '';
  return told === '' ? `The requested model is ${desired?.model ?? 'unknown'}.` : told;
}
