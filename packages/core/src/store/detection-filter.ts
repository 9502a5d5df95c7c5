import type { DetectionType } from '../detection-type.ts';

/** The conditions on what may change of a detection, or belongs to it. Absent members do not restrict the result. */
export interface StateFilter {
  readonly identityId?: number | undefined;
  readonly sourceImageId?: number | undefined;
  readonly type?: DetectionType | undefined;
  /** The class of an object. */
  readonly className?: string | undefined;
  readonly reviewStatus?: 'pending' | 'confirmed' | 'rejected' | undefined;
  /** Detections with another identity than this one, or without one. */
  readonly notOf?: number | undefined;
  readonly isDismissed?: boolean | undefined;
}

/** A filter of detections. Absent members do not restrict the result. */
export interface DetectionFilter extends StateFilter {
  /** Stored at this time or later. */
  readonly since?: Date;
  /** Stored before this time. */
  readonly until?: Date;
  /** Stored at this time or before. */
  readonly asOf?: Date;
  /** The ids of detections that are left out. */
  readonly except?: readonly number[];
}
