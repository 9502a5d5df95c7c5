import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { conditionOf } from '@sightline/contracts/cluster/inference-route-rules';
import { type Condition, type Finding, finding, toConditions } from './conditions.ts';
import { switchedAt } from './drain.ts';
import { isFailureReason } from './failures.ts';
import type { RouteFacts, RoutePhase } from './route-facts.ts';
import { isActive } from './roles.ts';
import { fromTime } from './time.ts';

/** The operator's conditions of a route. The worker writes `Activated`. */
export function routeConditions(facts: RouteFacts, phase: RoutePhase): readonly Condition[] {
  const { route, now } = facts;
  const generation = route.metadata.generation ?? 0;
  const stalled = stalledOf(facts, phase);
  const findings = {
    Ready: readyOf(facts, stalled),
    Reconciling: reconcilingOf(facts, { phase, stalled }),
    Stalled: stalled,
    Available: availableOf(facts),
  };
  const before = route.status?.conditions;
  return [...toConditions(findings, before, { generation, now }), ...drainedOf(facts, generation)];
}

function readyOf({ route, models, isSettled, unfit }: RouteFacts, stalled: Finding): Finding {
  const { active } = route.status ?? {};
  if (active === undefined) {
    return finding(false, 'NoActiveModel', stalled.message || 'No model is active yet.');
  }
  const shown = active.model === undefined || active.model === '' ? active.revision : active.model;
  const answering = models.find((model) => isActive(model, route));
  const missing = notServing(answering, shown);
  if (missing !== null) return missing;
  if (isSettled) return finding(true, 'Active', `${shown} serves requests.`);
  return finding(
    false,
    'SwitchPending',
    unfit ?? `${shown} serves requests until the requested model is active.`,
  );
}

/** The finding if no pod serves the active model; null if one does. */
function notServing(model: InferenceModel | undefined, shown: string): Finding | null {
  if (model === undefined) return finding(false, 'NotServing', `No InferenceModel is ${shown}.`);
  if (model.status?.state !== 'NotServing') return null;
  const why = conditionOf(model.status.conditions, 'Active')?.message ?? '';
  return finding(false, 'NotServing', `No pod serves ${shown}. ${why}`.trim());
}

const AT_REST: readonly RoutePhase[] = ['Idle', 'Blocked', 'RolledBack'];

function reconcilingOf(
  { unfit }: RouteFacts,
  { phase, stalled }: { readonly phase: RoutePhase; readonly stalled: Finding },
): Finding {
  if (unfit !== null || AT_REST.includes(phase)) return finding(false, phase);
  return finding(!stalled.holds || phase === 'Stalled', phase);
}

function stalledOf(facts: RouteFacts, phase: RoutePhase): Finding {
  const { unfit, model } = facts;
  if (unfit !== null) {
    return finding(true, model === undefined ? 'ModelMissing' : 'TaskMismatch', unfit);
  }
  return waitsForPerson(facts, phase) ?? permanentFailure(facts) ?? lateness(facts, phase);
}

function waitsForPerson({ revision, route }: RouteFacts, phase: RoutePhase): Finding | null {
  if (phase === 'Blocked') {
    return finding(true, 'ApprovalMissing', `Set approvedRevision to ${revision ?? ''} to begin.`);
  }
  if (phase !== 'RolledBack') return null;
  const message = conditionOf(route.status?.conditions, 'Activated')?.message ?? '';
  return finding(true, 'RolledBack', message);
}

/** The finding for a desired model that failed permanently. */
function permanentFailure({ isSettled, model }: RouteFacts): Finding | null {
  const stalled = conditionOf(model?.status?.conditions, 'Stalled');
  if (isSettled || stalled?.status !== 'True' || !isFailureReason(stalled.reason)) return null;
  return finding(true, stalled.reason, stalled.message);
}

function lateness(facts: RouteFacts, phase: RoutePhase): Finding {
  if (phase !== 'Stalled') return finding(false, 'NotStalled');
  return finding(true, 'ProgressDeadlineExceeded', lateMessage(facts));
}

/** The message for an overdue switch. It names the component that has not done its part. */
function lateMessage({ route, model, availability }: RouteFacts): string {
  const seconds = route.spec.progressDeadlineSeconds;
  if (availability !== null) {
    return `The pods have loaded the model, but no worker has activated it within ${seconds} s.`;
  }
  const why = conditionOf(model?.status?.conditions, 'Ready')?.message ?? '';
  return `The pods have not loaded the model within ${seconds} s. ${why}`.trim();
}

function availableOf({ availability, model }: RouteFacts): Finding {
  if (availability !== null)
    return finding(true, 'Available', `Loaded in ${availability.pods} pods.`);
  const warm = conditionOf(model?.status?.conditions, 'Warm');
  if (warm === undefined) return finding(false, 'NotWarm');
  if (warm.status !== 'True') return finding(false, warm.reason, warm.message);
  return finding(
    false,
    'PodsNew',
    'Its pods are new: some callers do not have their addresses yet.',
  );
}

/**
 * The condition `Drained`. Its transition time is never before the last switch, so that the drain of an earlier switch does
 * not count.
 */
function drainedOf(
  { route, now, isDrained }: RouteFacts,
  generation: number,
): readonly Condition[] {
  const since = switchedAt(route);
  const known = route.status?.conditions?.filter(
    ({ lastTransitionTime }) => fromTime(lastTransitionTime)! >= since,
  );
  const found = isDrained
    ? finding(true, 'Drained')
    : finding(false, 'Draining', 'Requests may still name the previous model.');
  const at = Math.max(now, since);
  return toConditions({ Drained: found }, known, { generation, now: at });
}
