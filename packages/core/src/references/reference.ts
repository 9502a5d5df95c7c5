/** An embedding that is enrolled under an identity: what faces are compared with. */
export interface Reference {
  readonly id: number;
  readonly identityId: number;
  readonly label: string;
  readonly modelId: number;
  readonly modelName: string;
  readonly detectionId: number;
  readonly sourceImageId: number;
  readonly createdAt: Date;
  /** Of the detection. */
  readonly cropKey: string;
}

/** What ties a reference to its face and its identity. */
export type ReferenceLink = Pick<Reference, 'id' | 'identityId' | 'modelId' | 'detectionId'>;
