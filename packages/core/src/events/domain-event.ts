import type { DetectionType } from '../detection-type.ts';

/** What happened, as webhooks and the change feed tell it. */
export type DomainEvent =
  | {
      readonly event: 'identity.created';
      readonly data: {
        readonly identity_id: number;
        readonly label: string;
        readonly type: DetectionType;
        readonly external_ref: string | null;
      };
    }
  | { readonly event: 'identity.updated'; readonly data: IdentityUpdate }
  | { readonly event: 'identity.deleted'; readonly data: { readonly identity_id: number } }
  | {
      readonly event: 'identity.merged';
      readonly data: { readonly identity_id: number; readonly merged_into: number };
    }
  | { readonly event: 'detection.created' | 'detection.labeled'; readonly data: DetectionFact }
  | {
      readonly event: 'detection.deleted';
      readonly data: {
        /** At most 1,000. */
        readonly detection_ids: readonly number[];
        /** Of their source images, in the same order. */
        readonly external_refs: readonly (string | null)[];
      };
    }
  | {
      readonly event: 'job.done';
      readonly data: {
        readonly job_id: number;
        readonly type: string;
        readonly status: 'done' | 'failed';
        readonly total: number;
        readonly done: number;
        readonly failed: number;
      };
    };

interface DetectionFact {
  readonly detection_id: number;
  readonly type: DetectionType;
  readonly identity_id: number | null;
  /** Of the source image. */
  readonly external_ref: string | null;
}

type IdentityUpdate = { readonly identity_id: number } & (
  | { readonly action: 'renamed'; readonly label: string; readonly previous_label: string }
  | { readonly action: 'thumbnail_updated'; readonly cover_detection_id: number | null }
  | {
      readonly action: 'embedding_added' | 'embedding_removed';
      readonly embedding_id: number;
      readonly detection_id: number;
    }
  | { readonly action: 'detection_added'; readonly detection_id: number }
);
