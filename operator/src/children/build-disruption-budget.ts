import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import { type Intent, toIntent } from './intent.ts';
import { DISRUPTION_BUDGETS } from './kinds.ts';
import { childName, inferenceLabels, podSelector } from '../plan/labels.ts';

/** The disruption budget of a host. It lets the drain of a node evict one ready pod at a time, and any other pods. */
export function buildDisruptionBudget(host: InferenceModel): Intent {
  const name = nameOf(host);
  const spec = {
    maxUnavailable: 1,
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
