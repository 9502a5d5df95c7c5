import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';

/**
 * The number of consecutive polls that must find the same models before an agreement counts as settled. A restart of
 * a process takes fewer polls, so the models that run only during a restart do not settle.
 */
const SETTLED_AFTER = 3;

/** The models that all processes run. */
export interface Agreement {
  readonly models: readonly ActiveModel[];
  /** The number of consecutive polls that found the same models. */
  readonly polls: number;
}

/** @returns null if the processes run different models, or no process is ready */
export function nextAgreement(
  before: Agreement | null,
  statuses: readonly AnalyzerStatus[],
): Agreement | null {
  const [first, ...others] = statuses;
  if (first === undefined) return null;
  const { models } = first;
  if (others.some((status) => namesOf(status.models) !== namesOf(models))) return null;
  const isSame = before !== null && namesOf(before.models) === namesOf(models);
  return { models, polls: isSame ? before.polls + 1 : 1 };
}

export function isSettled(agreement: Agreement | null): boolean {
  return agreement !== null && agreement.polls >= SETTLED_AFTER;
}

function namesOf(models: readonly ActiveModel[]): string {
  return models
    .map(({ task, name, revision }) => `${task} ${name} ${revision}`)
    .sort()
    .join(', ');
}
