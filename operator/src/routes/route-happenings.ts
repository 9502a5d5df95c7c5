import type { InferenceRouteStatus } from '@sightline/kube/resources/inference-route';
import type { Happening } from '../apply/event-recorder.ts';
import { conditionOf } from '../plan/conditions.ts';
import type { RouteStatusPart } from '../plan/plan-route.ts';

const WARNINGS: readonly InferenceRouteStatus['phase'][] = [
  'Stalled',
  'GaveWay',
  'Blocked',
  'Empty',
];

/** What people are told of a route whose status changes. */
export function routeHappenings(
  before: InferenceRouteStatus | undefined,
  after: RouteStatusPart,
): readonly Happening[] {
  const { phase } = after;
  if (phase === undefined || phase === before?.phase) return [];
  const isWarning = WARNINGS.includes(phase);
  const condition = conditionOf(after.conditions, isWarning ? 'Stalled' : 'Ready');
  const note = condition?.message ?? '';
  return [
    {
      type: isWarning ? 'Warning' : 'Normal',
      reason: phase,
      note: note === '' ? `The wanted model is ${after.wanted?.model ?? 'unknown'}.` : note,
    },
  ];
}
