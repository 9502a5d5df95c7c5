import type { Decision } from './decision-state.ts';

/** Each account has its own decisions, because another one may sign in in the same tab. */
function nameOf(account: string, environment: number): string {
  return `sightline.decisions.${account}.${environment}`;
}

/** The decisions that an earlier page of this tab could not send. */
export function readDecisions(account: string, environment: number): readonly Decision[] {
  try {
    const stored = JSON.parse(
      sessionStorage.getItem(nameOf(account, environment)) ?? '[]',
    ) as unknown;
    return Array.isArray(stored) ? (stored as Decision[]) : [];
  } catch {
    return [];
  }
}

export function storeDecisions(
  account: string,
  environment: number,
  decisions: readonly Decision[],
): void {
  const name = nameOf(account, environment);
  try {
    if (decisions.length === 0) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(decisions));
  } catch {
    // The storage is full or blocked. The decisions are sent all the same, but would not outlive a reload.
  }
}
