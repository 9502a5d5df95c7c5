import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  sql,
} from '../drizzle.ts';
import { bytes, environmentId, instant, rowId } from './columns.ts';
import { detections } from './detections.ts';
import { environments } from './environments.ts';
import { models } from './models.ts';
import { environmentPolicies } from './policies.ts';

/**
 * How far the follower of similarity has got with the faces of an environment and a model. It reads all faces once when it
 * begins to follow them, and again after another strategy was set.
 */
export const followedSpaces = pgTable(
  'followed_spaces',
  {
    environmentId: environmentId().references(() => environments.id),
    modelId: rowId('model_id')
      .notNull()
      .references(() => models.id, { onDelete: 'cascade' }),
    /**
     * The number of transactions that changed what is stored for the space. Each one names the number that it continues
     * from, so a process that was paused cannot write anything after another one has.
     */
    turn: bigint('turn', { mode: 'number' }).notNull().default(0),
    /** The last face that was read, while all faces are being read; else null. */
    scannedTo: rowId('scanned_to'),
    /** When all faces had been read for the first time; null before that. */
    filledAt: instant('filled_at'),
    /** The follower has applied all changes that were committed before this time. */
    currentAt: instant('current_at'),
    /** Whether all lists of neighbors are complete, and the newest tree has all strangers. */
    isSettled: boolean('is_settled').notNull().default(true),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.modelId] }),
    index('followed_spaces_unsettled')
      .on(table.environmentId, table.modelId)
      .where(sql`${table.scannedTo} is not null or not ${table.isSettled}`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The strangers that are most similar to each stranger. */
export const faceNeighbors = pgTable(
  'face_neighbors',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id').notNull(),
    /** The checksum of the vector whose neighbors these are. */
    fingerprint: bigint('fingerprint', { mode: 'number' }).notNull(),
    /** Whether the list has all of the nearest neighbors. A list that has lost one is searched again. */
    isComplete: boolean('is_complete').notNull(),
    /** The ids of the neighbors, most similar first, as float64 values. */
    ids: bytes('ids').notNull(),
    /** The cosines of the neighbors as float64 values. */
    cosines: bytes('cosines').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.detectionId, table.modelId] }),
    foreignKey({
      name: 'face_neighbors_detection',
      columns: [table.environmentId, table.detectionId],
      foreignColumns: [detections.environmentId, detections.id],
    }).onDelete('cascade'),
    ...environmentPolicies(table.environmentId),
  ],
);

/** The trees of an environment's strangers. A tree is kept for an hour after the next one. */
export const groupTrees = pgTable(
  'group_trees',
  {
    environmentId: environmentId().references(() => environments.id),
    modelId: rowId('model_id')
      .notNull()
      .references(() => models.id, { onDelete: 'cascade' }),
    version: rowId('version').notNull().generatedAlwaysAsIdentity(),
    /** The strangers of this time were linked. */
    asOf: instant('as_of').notNull(),
    madeAt: instant('made_at').notNull().defaultNow(),
    /** The ids of the faces, ascending, as float64 values. */
    faces: bytes('faces').notNull(),
    /** The confidences of the faces as float64 values. */
    confidences: bytes('confidences').notNull(),
    /** Two nodes for each joining, as int32 values. */
    parts: bytes('parts').notNull(),
    /** A cosine for each joining, as float64 values. */
    cosines: bytes('cosines').notNull(),
    /** The number of strangers that were attached. */
    attached: integer('attached').notNull().default(0),
    /**
     * The strangers of this time are linked or attached; null for those of `asOf`. It moves on with changes that concern no
     * stranger, too.
     */
    attachedAsOf: instant('attached_as_of'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.modelId, table.version] }),
    ...environmentPolicies(table.environmentId),
  ],
);

/** Strangers that joined a tree after its groups had been linked. Each row has those that came together. */
export const attachedStrangers = pgTable(
  'attached_strangers',
  {
    environmentId: environmentId(),
    modelId: rowId('model_id').notNull(),
    treeVersion: rowId('tree_version').notNull(),
    attachedBefore: integer('attached_before').notNull(),
    /** Four float64 values for each stranger: its id, its confidence, the face that it joined or 0, and the cosine. */
    strangers: bytes('strangers').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'attached_strangers_pk',
      columns: [table.environmentId, table.modelId, table.treeVersion, table.attachedBefore],
    }),
    foreignKey({
      name: 'attached_strangers_tree',
      columns: [table.environmentId, table.modelId, table.treeVersion],
      foreignColumns: [groupTrees.environmentId, groupTrees.modelId, groupTrees.version],
    }).onDelete('cascade'),
    ...environmentPolicies(table.environmentId),
  ],
);

/**
 * Faces that were strangers and are none any more. Triggers write the rows, so that readers of a tree leave them out at
 * once. A row is kept until the follower has stored a tree without the face.
 */
export const departedStrangers = pgTable(
  'departed_strangers',
  {
    environmentId: environmentId().references(() => environments.id),
    detectionId: rowId('detection_id').notNull(),
    departedAt: instant('departed_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.detectionId] }),
    index('departed_strangers_oldest').on(table.departedAt),
    ...environmentPolicies(table.environmentId),
  ],
);

/**
 * How similar confirmed faces are to the other references of their identities, by model. A trigger deletes the row of a
 * face with the decision that the row belongs to.
 */
export const mismatchScores = pgTable(
  'mismatch_scores',
  {
    environmentId: environmentId(),
    detectionId: rowId('detection_id').notNull(),
    modelId: rowId('model_id').notNull(),
    identityId: rowId('identity_id').notNull(),
    similarity: doublePrecision('similarity').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.detectionId, table.modelId] }),
    foreignKey({
      name: 'mismatch_scores_detection',
      columns: [table.environmentId, table.detectionId],
      foreignColumns: [detections.environmentId, detections.id],
    }).onDelete('cascade'),
    index('mismatch_scores_worst').on(
      table.environmentId,
      table.modelId,
      table.similarity,
      table.detectionId,
    ),
    index('mismatch_scores_of_identity').on(
      table.environmentId,
      table.identityId,
      table.modelId,
      table.similarity,
      table.detectionId,
    ),
    ...environmentPolicies(table.environmentId),
  ],
);
