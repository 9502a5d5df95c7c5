import type { ReportedModel } from '@sightline/core/models/analyzer-status';
import type { DesiredModel } from '@sightline/core/models/desired-models';
import { slotOf } from '@sightline/core/models/model-slot';

/**
 * Whether an inference process should get requests. After the first models are warm, the process is `starting` until
 * each model that was desired at that time is warm or no longer desired. Then it is `serving`. It is `outdated` while it
 * has models of a slot, but not the slot's first desired model, which requests name.
 */
export type Readiness =
  | { readonly kind: 'starting'; readonly awaited: readonly string[] }
  | { readonly kind: 'serving' }
  | { readonly kind: 'outdated' };

/** The readiness of a process whose first models are warm. */
export function startedWith(desired: readonly DesiredModel[]): Readiness {
  return { kind: 'starting', awaited: loaded(desired).map(({ revision }) => revision) };
}

export function nextReadiness(
  readiness: Readiness,
  desired: readonly DesiredModel[],
  report: readonly ReportedModel[],
): Readiness {
  const warm = report.filter(({ state }) => state === 'warm');
  if (readiness.kind === 'starting') {
    const missing = loaded(desired).filter(
      ({ revision }) =>
        readiness.awaited.includes(revision) && !warm.some((model) => model.revision === revision),
    );
    if (missing.length > 0) return readiness;
  }
  return { kind: isOutdated(desired, warm) ? 'outdated' : 'serving' };
}

function isOutdated(desired: readonly DesiredModel[], warm: readonly ReportedModel[]): boolean {
  return (['face', 'object'] as const).some((slot) => {
    const held = warm.filter((model) => slotOf(model) === slot);
    const first = loaded(desired).find((model) => slotOf(model) === slot);
    if (first === undefined || held.length === 0) return false;
    return held.every(({ revision }) => revision !== first.revision);
  });
}

function loaded(desired: readonly DesiredModel[]): readonly DesiredModel[] {
  return desired.filter(({ keep }) => keep === 'loaded');
}
