import type { Resource } from '@sightline/kube/kube-object';
import type { InferenceModel } from '@sightline/contracts/cluster/inference-model';
import { nameOf } from '../plan/hosts.ts';
import type { HostPlan } from '../plan/plan-host.ts';
import { buildAutoscaler } from './build-autoscaler.ts';
import { buildDeployment } from './build-deployment.ts';
import { buildDisruptionBudget } from './build-disruption-budget.ts';
import { buildFetchJob, type FetchJobOptions } from './build-fetch-job.ts';
import { buildFetchNetworkPolicy, buildNetworkPolicy } from './build-network-policy.ts';
import { buildServingConfig } from './build-serving-config.ts';
import type { Installation } from './installation.ts';
import type { Intent } from './intent.ts';
import {
  AUTOSCALERS,
  CONFIG_MAPS,
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  JOBS,
  NETWORK_POLICIES,
} from './kinds.ts';
import { childName, fetchName } from '../plan/labels.ts';

/** The name of a child. */
export interface ChildRef {
  readonly resource: Resource;
  readonly name: string;
}

/** The desired state of all children that a model may have. */
export interface Children {
  /** The children in the order in which they are applied: pods come after the objects that they need. */
  readonly intents: readonly Intent[];
  /** The children to delete, if they exist. */
  readonly obsolete: readonly ChildRef[];
}

/** The children of a host: its Deployment and the objects that the Deployment needs. */
export function buildHostChildren(
  host: InferenceModel,
  { plan, installation }: { readonly plan: HostPlan; readonly installation: Installation },
): Children {
  const name = childName(nameOf(host));
  const { replicas } = plan;
  const { networkPolicies: policies } = installation;
  const all = [CONFIG_MAPS, NETWORK_POLICIES, DISRUPTION_BUDGETS, DEPLOYMENTS, AUTOSCALERS];
  if (replicas === null) {
    return { intents: [], obsolete: all.map((resource) => ({ resource, name })) };
  }
  const { autoscaling } = host.spec;
  const intents = [
    buildServingConfig(host, plan.serving),
    ...(policies === null ? [] : [buildNetworkPolicy(host, policies)]),
    ...(replicas === 0 ? [] : [buildDisruptionBudget(host)]),
    buildDeployment(host, { installation, replicas }),
    ...(replicas === 0 || autoscaling === undefined ? [] : [buildAutoscaler(host, autoscaling)]),
  ];
  const made = new Set(intents.map(({ resource }) => resource));
  const obsolete = all.filter((resource) => !made.has(resource));
  return { intents, obsolete: obsolete.map((resource) => ({ resource, name })) };
}

export function buildFetchChildren(model: InferenceModel, options: FetchJobOptions): Children {
  const { installation, plan } = options;
  const name = fetchName(nameOf(model));
  const { networkPolicies: policies } = installation;
  const policy = policies === null ? [] : [buildFetchNetworkPolicy(model, policies)];
  switch (plan.job) {
    case 'make':
    case 'renew':
      return { intents: [...policy, buildFetchJob(model, options)], obsolete: [] };
    case 'remove': {
      const kinds = [JOBS, NETWORK_POLICIES];
      return { intents: [], obsolete: kinds.map((resource) => ({ resource, name })) };
    }
    case 'leave':
      return { intents: [], obsolete: [] };
  }
}
