import { readStored, store } from '../client/browser-storage.ts';
import type { Decision } from './decision-state.ts';

/** Each account has its own decisions, because another one may sign in in the same tab. */
function nameOf(account: string, environment: number): string {
  return `sightline.decisions.${account}.${environment}`;
}

/** The decisions that an earlier page of this tab could not send. */
export function readDecisions(account: string, environment: number): readonly Decision[] {
  const stored = readStored('session', nameOf(account, environment));
  return Array.isArray(stored) ? stored.filter(isDecision) : [];
}

/** Another version of the console may have stored something else. */
function isDecision(value: unknown): value is Decision {
  if (typeof value !== 'object' || value === null) return false;
  const { id, face, verdict, seen } = value as Partial<Record<keyof Decision, unknown>>;
  return (
    typeof id === 'string' &&
    typeof face === 'number' &&
    hasText(verdict, 'kind') &&
    hasText(seen, 'status')
  );
}

function hasText(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as Record<string, unknown>)[name] === 'string';
}

export function storeDecisions(
  account: string,
  environment: number,
  decisions: readonly Decision[],
): void {
  const name = nameOf(account, environment);
  // Without a storage the decisions are sent all the same, but do not outlive a reload.
  store('session', name, decisions.length === 0 ? undefined : decisions);
}
