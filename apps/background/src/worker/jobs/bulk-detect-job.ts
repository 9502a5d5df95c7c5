import { forTenant } from '@sightline/core/analysis/for-tenant';
import { readWhole } from '@sightline/core/analysis/stored-file';
import { backgroundOf } from '@sightline/core/analysis/tenant';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { detectPosted, type DetectPostedDeps } from '@sightline/core/recognition/detect-posted';
import { openUrl } from '@sightline/core/recognition/posted-url';
import type { SecretBox } from '@sightline/core/secrets/secret-box';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import { presentBulkResult } from '@sightline/presentation/present-bulk-result';

export interface BulkDetectJobDeps extends DetectPostedDeps {
  readonly secrets: SecretBox;
}

/** Analyzes a posted image, and stores the image and its detections. */
export function bulkDetectJob(deps: BulkDetectJobDeps): JobWork<'bulk_detect'> {
  return async ({ claim, job, input, uploadKey }, { signal, settle, end }) => {
    const { name, externalRef, refusal } = input;
    if (refusal !== null) {
      await end({ error: refusal });
      return;
    }
    const operation = new CurrentOperation('replace', { isSelective: true });
    const scope = { environmentId: claim.environmentId, operation };
    const analyzer = forTenant(deps.analyzer, backgroundOf(scope));
    const url = openUrl(input, scope, deps.secrets);
    const source = url ?? (() => readWhole(deps.media, uploadKey!, signal));
    const image = { externalRef: externalRef ?? undefined, source };
    const item = { index: claim.index, name };
    await detectPosted(
      { ...deps, analyzer },
      { scope, image, ...job.params },
      { signal, settle: settle((run) => ({ result: presentBulkResult(item, run) })) },
    );
  };
}
