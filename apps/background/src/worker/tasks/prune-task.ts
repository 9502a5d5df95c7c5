import type { InvitationStore } from '@sightline/core/accounts/invitation-store';
import type { AuditLog } from '@sightline/core/audit/audit-log';
import type { JobQueue } from '@sightline/core/jobs/job-queue';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import { discardFiles } from '@sightline/core/media/discard-files';
import type { MediaStore } from '@sightline/core/media/media-store';
import { effectiveSettings } from '@sightline/core/settings/effective-settings';
import type { OperationPruner } from '@sightline/core/operations/operation-store';
import type { SystemSettings } from '@sightline/core/settings/settings-store';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';

const HOUR_MS = 3_600_000;
/** How long events are kept after all consumers have read them, in hours. */
const OUTBOX_HOURS = 24;
const IDEMPOTENCY_HOURS = 24;

export interface PruneDeps {
  readonly maintenance: Pick<MaintenanceStore, 'pruneOutbox' | 'pruneIdempotencyKeys' | 'orphans'>;
  readonly jobs: Pick<JobQueue, 'pruneResults'>;
  readonly media: Pick<MediaStore, 'remove'>;
  readonly audit: Pick<AuditLog, 'prune'>;
  readonly invitations: Pick<InvitationStore, 'prune'>;
  readonly operationPruner: OperationPruner;
  readonly systemSettings: Pick<SystemSettings, 'all'>;
}

/** Deletes old events, the answers of old idempotency keys, the results of old jobs, expired invitations, the values of expired operations, and old operations and entries of the audit. */
export function pruneTask(deps: PruneDeps): BackgroundTask {
  const { maintenance, jobs, media, audit, invitations, operationPruner, systemSettings } = deps;
  return {
    name: 'prune',
    everyMs: HOUR_MS,
    run: async (signal) => {
      await maintenance.pruneOutbox(OUTBOX_HOURS, signal);
      await maintenance.pruneIdempotencyKeys(IDEMPOTENCY_HOURS, signal);
      await discardFiles(media, await jobs.pruneResults(signal));
      await invitations.prune();
      for (let files = await operationPruner.clear(signal); files !== null;) {
        // An undo may use some of them again.
        await discardFiles(media, await maintenance.orphans(files, signal));
        files = await operationPruner.clear(signal);
      }
      const { auditRetentionDays } = effectiveSettings(await systemSettings.all(signal));
      if (auditRetentionDays > 0) {
        await audit.prune(auditRetentionDays, signal);
        await operationPruner.prune(auditRetentionDays, signal);
      }
      return ALL_DONE;
    },
  };
}
