const nameOf = (environment: string) => `sightline.steps.${environment}`;

/** Whether the person has hidden the first steps of the environment in this browser. */
export function areStepsHidden(environment: string): boolean {
  return localStorage.getItem(nameOf(environment)) !== null;
}

export function hideSteps(environment: string): void {
  localStorage.setItem(nameOf(environment), 'hidden');
}
