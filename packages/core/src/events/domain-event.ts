import type { DetectionType } from '../detection-type.ts';
import type { JobProgress, JobType } from '../jobs/job.ts';

/** The facts of each type of event. The store converts them to the published data. */
export interface EventFacts {
  readonly identity_created: IdentityFact & {
    readonly label: string;
    readonly type: DetectionType;
    readonly externalRef: string | null;
  };
  readonly identity_renamed: IdentityFact & {
    readonly label: string;
    readonly previousLabel: string;
  };
  readonly identity_merged: IdentityFact & { readonly mergedInto: number };
  readonly identity_deleted: IdentityFact & {
    /** The external_ref of an identity whose row is deleted already. The store reads it from a row that is there. */
    readonly externalRef?: string | null;
  };
  readonly cover_changed: IdentityFact & { readonly coverDetectionId: number | null };
  readonly detection_added: IdentityFact & { readonly detectionId: number };
  readonly embedding_added: ReferenceFact;
  readonly embedding_removed: ReferenceFact;
  readonly detection_created: DetectionFact;
  readonly detection_labeled: DetectionFact;
  readonly detections_deleted: {
    /** At most 1,000. */
    readonly detections: readonly Pick<DetectionFact, 'detectionId' | 'externalRef'>[];
  };
  readonly job_finished: JobProgress & {
    readonly jobId: number;
    readonly type: JobType;
    readonly status: 'done' | 'failed';
  };
}

/** An event, which is written to the outbox in the transaction of the change. */
export type DomainEvent<Event extends keyof EventFacts = keyof EventFacts> = {
  readonly [E in Event]: { readonly event: E; readonly facts: EventFacts[E] };
}[Event];

interface IdentityFact {
  readonly identityId: number;
}

interface ReferenceFact extends IdentityFact {
  readonly referenceId: number;
  readonly detectionId: number;
}

interface DetectionFact {
  readonly detectionId: number;
  readonly type: DetectionType;
  readonly identityId: number | null;
  /** The client's own name for the source image. */
  readonly externalRef: string | null;
}
