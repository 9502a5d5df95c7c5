import { conditionOf } from './conditions.ts';
import type { RouteFacts, RoutePhase } from './route-facts.ts';

/** How far a route is, and so whose turn it is: while it is `Preparing` the operator's, from `Offered` on the worker's. */
export function phaseOf(facts: RouteFacts): RoutePhase {
  const { isSettled, isDrained, unfit, route, isLate, offer } = facts;
  if (isSettled) return isDrained ? 'Idle' : 'Draining';
  if (unfit !== null) return route.status?.active === undefined ? 'Empty' : 'Stalled';
  if (hasGivenWay(facts)) return 'GaveWay';
  return phaseOfOffer(facts) ?? (isLate ? 'Stalled' : offer === null ? 'Preparing' : 'Offered');
}

/** The worker went back from this very wish. */
function hasGivenWay({ route }: RouteFacts): boolean {
  const activated = conditionOf(route.status?.conditions, 'Activated');
  return (
    activated?.reason === 'GaveWay' && activated.observedGeneration === route.metadata.generation
  );
}

/** What an offer waits for, or what the worker makes of it; null: nothing that is known. */
function phaseOfOffer(facts: RouteFacts): RoutePhase | null {
  if (facts.offer === null) return null;
  if (needsApproval(facts)) return 'Blocked';
  const { total = 0, done = 0 } = facts.route.status?.reembedding ?? {};
  if (total === 0) return null;
  return done < total ? 'Reembedding' : 'Switching';
}

/** Where nothing answers there is nothing to embed anew. */
function needsApproval({ route, revision }: RouteFacts): boolean {
  const { reembed, approvedRevision } = route.spec;
  if (route.status?.active === undefined) return false;
  return reembed === 'Block' && approvedRevision !== revision;
}
