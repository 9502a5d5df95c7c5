export type Labels = Readonly<Record<string, string>>;

/** The label of a pod with the name of its InferenceModel. */
export const MODEL_LABEL = 'sightline.dev/model';
const ROLE_LABEL = 'sightline.dev/role';
const MANAGER = 'sightline-operator';

/** The label of all children, whichever operator created them. */
export const MANAGED_BY: Labels = { 'app.kubernetes.io/managed-by': MANAGER };
export const CHILD_SELECTOR = `app.kubernetes.io/managed-by=${MANAGER}`;
/** The labels of operators' pods in any namespace. */
export const OPERATOR_LABELS: Labels = { [ROLE_LABEL]: 'operator' };

/** Matches labels that users may not set, because services and policies select pods by them. */
const RESERVED_LABELS = /^([\w.-]+\.)?(sightline\.dev|kubernetes\.io)\//;
/**
 * Matches annotations that users may not set: those of the operator, the kubelet and admission controllers, and those that
 * loosen the restrictions of pods.
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

/** The labels that select a model's pods. They must never change, because a Deployment's selector is immutable. */
export function podSelector(model: string, role: 'inference' | 'fetch'): Labels {
  return { [MODEL_LABEL]: model, [ROLE_LABEL]: role };
}

/**
 * The labels of inference pods. `sightline.dev/inference` lets the headless Service select the inference pods of all
 * models.
 */
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

export function labelsOfUser(given: Labels = {}): Labels {
  return without(RESERVED_LABELS, given);
}

export function annotationsOfUser(given: Labels = {}): Labels {
  return without(RESERVED_ANNOTATIONS, given);
}

function without(reserved: RegExp, given: Labels): Labels {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !reserved.test(key)));
}
