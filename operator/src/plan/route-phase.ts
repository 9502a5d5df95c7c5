import { asksForApproval, rolledBackOf } from '@sightline/contracts/cluster/inference-route-rules';
import type { RouteFacts, RoutePhase } from './route-facts.ts';

/** How far a route is, and so whose turn it is: while it is `Preparing` the operator's, from `Offered` on the worker's. */
export function phaseOf(facts: RouteFacts): RoutePhase {
  const { isSettled, isDrained, unfit, route, isLate, offer } = facts;
  if (isSettled) return isDrained ? 'Idle' : 'Draining';
  if (unfit !== null) return route.status?.active === undefined ? 'Empty' : 'Stalled';
  if (rolledBackOf(route) === 'this') return 'RolledBack';
  return phaseOfOffer(facts) ?? (isLate ? 'Stalled' : offer === null ? 'Preparing' : 'Offered');
}

/** What an offer waits for, or what the worker makes of it; null: nothing that is known. */
function phaseOfOffer(facts: RouteFacts): RoutePhase | null {
  if (facts.offer === null) return null;
  if (isBlocked(facts)) return 'Blocked';
  const { total = 0, done = 0 } = facts.route.status?.reembedding ?? {};
  if (total === 0) return null;
  return done < total ? 'Reembedding' : 'Switching';
}

function isBlocked({ route, revision }: RouteFacts): boolean {
  return asksForApproval(route) && route.spec.approvedRevision !== revision;
}
