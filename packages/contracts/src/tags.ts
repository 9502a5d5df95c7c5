/** The groups of endpoints in the documentation, in reading order, and what each is about. */
export const TAGS = {
  Discovery: 'What the service can do and how it is.',
  Detection: 'Find faces and objects in images and store them.',
  Recognition: 'Find, identify and compare faces without storing anything.',
  Enrollment: 'Teach the service faces from photos.',
  'Face embeddings': 'The references that faces are compared with.',
  Identities: 'The people and object classes that the environment knows.',
  Detections: 'Stored faces and objects, and who or what they are.',
  'Review queue': 'Faces about which a person should decide, and the decisions.',
  Images: 'Stored source images.',
  Models: 'What finds and recognizes, where it comes from, and which of it is active.',
  Jobs: 'Work that outlives its request.',
  Changes: 'What has happened to identities and detections, for those who keep up by asking.',
  Webhooks: 'Who is told of events, and how that went.',
  Search: 'Find people and object classes by name.',
  Statistics: 'How much is stored.',
  Settings: 'Settings of the environment and of the installation.',
  'Export and import': 'Take a library along, or bring one.',
  Media: 'The stored files of images and crops.',
} as const;

export type Tag = keyof typeof TAGS;
