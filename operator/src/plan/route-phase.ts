import { asksForApproval, rolledBackOf } from '@sightline/contracts/cluster/inference-route-rules';
import type { RouteFacts, RoutePhase } from './route-facts.ts';

/**
 * The progress of a route. In the phase `Preparing`, the next step is the operator's; from `Available` on, it is the
 * worker's.
 */
export function phaseOf(facts: RouteFacts): RoutePhase {
  const { isSettled, isDrained, unfit, route, isLate, availability } = facts;
  if (isSettled) return isDrained ? 'Idle' : 'Draining';
  if (unfit !== null) return route.status?.active === undefined ? 'Empty' : 'Stalled';
  if (rolledBackOf(route) === 'this') return 'RolledBack';
  return (
    phaseOfAvailability(facts) ??
    (isLate ? 'Stalled' : availability === null ? 'Preparing' : 'Available')
  );
}

/** The phase according to the worker's part of the status; null if the model is not available or the worker has not begun. */
function phaseOfAvailability(facts: RouteFacts): RoutePhase | null {
  if (facts.availability === null) return null;
  if (isBlocked(facts)) return 'Blocked';
  const { total = 0, done = 0 } = facts.route.status?.reembedding ?? {};
  if (total === 0) return null;
  return done < total ? 'Reembedding' : 'Switching';
}

function isBlocked({ route, revision }: RouteFacts): boolean {
  return asksForApproval(route) && route.spec.approvedRevision !== revision;
}
