import type { SQL } from 'drizzle-orm';
import type { Detection } from '@sightline/core/detections/detection';
import type { Point } from '@sightline/core/analysis/geometry';
import type { HeadPose } from '@sightline/core/analysis/image-analyzer';
import { and, eq, sql } from '../../drizzle.ts';
import { detections } from '../../schema/detections.ts';
import { assignedIdentities } from '../../schema/identities.ts';
import { columnsWithout } from '../database/columns-without.ts';

const { id: assignedId, label } = assignedIdentities;

export const IS_ASSIGNED = and(
  eq(assignedIdentities.environmentId, detections.environmentId),
  eq(assignedIdentities.rowId, detections.identityId),
);

/**
 * The columns of a detection in a query that joins `assigned_identities`. If the identity is being deleted, the label
 * is null.
 */
export const DETECTION_COLUMNS = {
  ...columnsWithout(detections, 'environmentId', 'identityId', 'cropBytes', 'queuedAt'),
  identityId: sql`coalesce(${assignedId}, ${detections.identityId})`.mapWith(
    detections.identityId,
  ) as SQL<number | null>,
  label,
};

type DetectionRow = Omit<
  typeof detections.$inferSelect,
  'environmentId' | 'cropBytes' | 'queuedAt'
> & {
  readonly label: string | null;
};

export function toDetection(row: DetectionRow): Detection {
  const { bboxX, bboxY, bboxW, bboxH, landmarks, pose, ...rest } = row;
  return {
    ...rest,
    bbox: { x: bboxX, y: bboxY, w: bboxW, h: bboxH },
    landmarks: landmarks && toPoints(landmarks),
    pose: pose as HeadPose | null,
  };
}

function toPoints(coordinates: readonly number[]): Point[] {
  return Array.from({ length: coordinates.length / 2 }, (_, i) => ({
    x: coordinates[2 * i]!,
    y: coordinates[2 * i + 1]!,
  }));
}
