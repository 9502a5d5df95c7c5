/** An embedding that is enrolled under an identity, so that faces are compared with it. */
export interface Reference {
  readonly id: number;
  readonly identityId: number;
  readonly label: string;
  readonly modelId: number;
  readonly modelName: string;
  readonly detectionId: number;
  readonly sourceImageId: number;
  readonly createdAt: Date;
  /** The crop of the detection. */
  readonly cropKey: string;
}

/** A reference with the ids of its face, identity and model. */
export type ReferenceLink = Pick<Reference, 'id' | 'identityId' | 'modelId' | 'detectionId'>;

export interface NewReference extends Omit<ReferenceLink, 'id'> {
  /** Absent: it is enrolled now. */
  readonly createdAt?: Date | undefined;
}
