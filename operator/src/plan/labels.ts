export type Labels = Readonly<Record<string, string>>;

/** Names the InferenceModel that a pod belongs to. */
export const MODEL_LABEL = 'sightline.dev/model';
const ROLE_LABEL = 'sightline.dev/role';
const MANAGER = 'sightline-operator';

/** The label of every child of any operator. */
export const MANAGED_BY: Labels = { 'app.kubernetes.io/managed-by': MANAGER };
/** Selects every child. */
export const CHILD_SELECTOR = `app.kubernetes.io/managed-by=${MANAGER}`;
/** The labels of operators' pods in any namespace. */
export const OPERATOR_LABELS: Labels = { [ROLE_LABEL]: 'operator' };

/** Labels that users may not set, because services and policies select pods by them. */
const RESERVED_LABELS = /^([\w.-]+\.)?(sightline\.dev|kubernetes\.io)\//;
/**
 * Annotations that users may not set: the operator's, those of the kubelet and of admission, and those that loosen
 * restrictions of pods.
 */
const RESERVED_ANNOTATIONS =
  /^([\w.-]+\.)?(sightline\.dev|security\.(alpha|beta)\.kubernetes\.io)\/|^kubernetes\.io\/(config\.|limit-ranger$)/;

/** The name of a model's children. */
export function childName(model: string): string {
  return `imodel-${model}`;
}

export function fetchName(model: string): string {
  return `${childName(model)}-fetch`;
}

/** The labels that select a model's pods. A Deployment's selector is immutable, so they never change. */
export function podSelector(model: string, role: 'inference' | 'fetch'): Labels {
  return { [MODEL_LABEL]: model, [ROLE_LABEL]: role };
}

/** The labels of pods that answer requests: the headless Service has all of them. */
export function inferenceLabels(model: string): Labels {
  return {
    ...productLabels('inference'),
    'sightline.dev/inference': 'true',
    ...podSelector(model, 'inference'),
  };
}

export function fetchLabels(model: string): Labels {
  return { ...productLabels('model-fetch'), ...podSelector(model, 'fetch') };
}

function productLabels(component: string): Labels {
  return { 'app.kubernetes.io/name': 'sightline', 'app.kubernetes.io/component': component };
}

/** Labels of a user, without those by which the product and the cluster select. */
export function labelsOfUser(given: Labels = {}): Labels {
  return without(RESERVED_LABELS, given);
}

/** Annotations of a user, without those that are set for pods. */
export function annotationsOfUser(given: Labels = {}): Labels {
  return without(RESERVED_ANNOTATIONS, given);
}

function without(reserved: RegExp, given: Labels): Labels {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !reserved.test(key)));
}
