import type { Detection } from '../detections/detection.ts';

/** An embedding of an identity with which matching compares faces. */
export interface Reference {
  readonly id: number;
  readonly identityId: number;
  readonly label: string;
  readonly modelId: number;
  readonly modelName: string;
  readonly detectionId: number;
  readonly sourceImageId: number;
  readonly createdAt: Date;
  readonly cropKey: string;
  /** Whether matching or a person confirmed the face. */
  readonly decidedBy: Detection['decidedBy'];
  readonly bbox: Detection['bbox'];
  readonly quality: Detection['quality'];
  readonly pose: Detection['pose'];
  readonly turned: Detection['turned'];
}

export type ReferenceLink = Pick<Reference, 'id' | 'identityId' | 'modelId' | 'detectionId'>;

export interface NewReference extends Omit<ReferenceLink, 'id'> {
  /** The id of a reference that returns; absent for a new one. */
  readonly returnedId?: number | undefined;
  /** The current time if absent. */
  readonly createdAt?: Date | undefined;
}
