import type { Resource } from '@sightline/kube/kube-object';

export const CONFIG_MAPS: Resource = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
};
export const EVENTS: Resource = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
};
export const PODS: Resource = { group: '', version: 'v1', kind: 'Pod', plural: 'pods' };
export const DEPLOYMENTS: Resource = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
};
export const JOBS: Resource = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs' };
export const AUTOSCALERS: Resource = {
  group: 'autoscaling',
  version: 'v2',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
};
export const DISRUPTION_BUDGETS: Resource = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
};
export const NETWORK_POLICIES: Resource = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
};

/** Every kind of child. */
export const CHILD_KINDS: readonly Resource[] = [
  CONFIG_MAPS,
  NETWORK_POLICIES,
  DISRUPTION_BUDGETS,
  DEPLOYMENTS,
  AUTOSCALERS,
  JOBS,
];
