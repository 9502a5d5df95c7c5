import type { DetectionType } from '../detection-type.ts';

/** A filter of detections. Absent members do not restrict the result. */
export interface DetectionFilter<Time = Date> {
  readonly identityId?: number;
  readonly sourceImageId?: number;
  readonly type?: DetectionType | undefined;
  /** The class of an object. */
  readonly className?: string;
  readonly reviewStatus?: 'pending' | 'confirmed' | 'rejected';
  /** Stored at this time or later. */
  readonly since?: Time;
  /** Stored before this time. */
  readonly until?: Time;
  /** Stored at this time or before. */
  readonly asOf?: Time;
  /** The ids of detections that are left out. */
  readonly except?: readonly number[];
  /** Detections with another identity than this one, or without one. */
  readonly notOf?: number;
  readonly isDismissed?: boolean;
}

/** A filter in the parameters of a job, which are JSON. */
export type StoredDetectionFilter = DetectionFilter<string>;

/** Returns a filter as the parameters of a job store it. */
export function toStored({
  since,
  until,
  asOf,
  ...others
}: DetectionFilter): StoredDetectionFilter {
  return {
    ...others,
    ...(since && { since: since.toISOString() }),
    ...(until && { until: until.toISOString() }),
    ...(asOf && { asOf: asOf.toISOString() }),
  };
}

/** Returns the filter that {@link toStored} has stored. */
export function fromStored({
  since,
  until,
  asOf,
  ...others
}: StoredDetectionFilter): DetectionFilter {
  return {
    ...others,
    ...(since !== undefined && { since: new Date(since) }),
    ...(until !== undefined && { until: new Date(until) }),
    ...(asOf !== undefined && { asOf: new Date(asOf) }),
  };
}
