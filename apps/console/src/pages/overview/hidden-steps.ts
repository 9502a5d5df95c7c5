import { readStored, store } from '../../client/browser-storage.ts';

const nameOf = (environment: string) => `sightline.steps.${environment}`;

/** Whether the person has hidden the first steps of the environment in this browser. */
export function areStepsHidden(environment: string): boolean {
  return readStored('local', nameOf(environment)) !== undefined;
}

export function hideSteps(environment: string): void {
  store('local', nameOf(environment), 'hidden');
}
