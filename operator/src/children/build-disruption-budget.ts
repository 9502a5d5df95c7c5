import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import { type Intent, toIntent } from './intent.ts';
import { DISRUPTION_BUDGETS } from './kinds.ts';
import { MAX_UNAVAILABLE } from '../plan/pods-availability.ts';
import { childName, inferenceLabels, podSelector } from '../plan/labels.ts';

/**
 * The disruption budget of a host's pods. When a node is drained, ready pods are evicted one at a time; pods that are
 * not ready may be evicted at any time.
 */
export function buildDisruptionBudget(host: InferenceModel): Intent {
  const name = nameOf(host);
  const spec = {
    maxUnavailable: MAX_UNAVAILABLE,
    unhealthyPodEvictionPolicy: 'AlwaysAllow',
    selector: { matchLabels: podSelector(name, 'inference') },
  };
  const [labels, body] = [inferenceLabels(name), { spec }];
  return toIntent({
    resource: DISRUPTION_BUDGETS,
    model: host,
    name: childName(name),
    labels,
    body,
  });
}
