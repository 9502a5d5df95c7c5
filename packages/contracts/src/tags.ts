/** The groups of endpoints in the documentation with their descriptions, in reading order. */
export const TAGS = {
  Discovery: 'The capabilities and the health of the service.',
  Detection: 'Find faces and objects in images and store them.',
  Recognition: 'Find, identify and compare faces without storing anything.',
  Enrollment: 'Enroll faces from photos.',
  'Face embeddings': 'The references with which faces are compared.',
  Identities: 'The people and object classes of the environment.',
  Detections: 'Stored faces and objects, and their identities.',
  'Review queue': "Faces that wait for a person's decision, and endpoints for the decisions.",
  'Groups of strangers': 'Faces without an identity that are probably of one person each.',
  Operations: 'The history of what people changed, and its undo.',
  Images: 'Stored source images.',
  Models: 'The models that detect and recognize, their sources, and which of them are active.',
  Jobs: 'Work that continues after its request.',
  Changes: 'A feed of changes of identities and detections, for clients that poll.',
  Webhooks: 'URLs to which the service sends events, and the attempts to deliver events.',
  Search: 'Find people and object classes by name.',
  Statistics: 'Counts and sizes.',
  System: 'The state of the installation, for those who run it.',
  Settings: 'Settings of the environment and of the installation.',
  'Export and import': 'Export a library as an archive, and import an archive.',
  Accounts: 'People, their sessions, and the environments and keys that they own.',
  Audit: 'The record of what was done to the data, and by whom.',
  Media: 'The stored files of images and crops.',
} as const;

export type Tag = keyof typeof TAGS;
