import { createHash, randomBytes } from 'node:crypto';
import type { Detection, NewDetection } from '@sightline/core/detections/detection';
import { createIdentity } from '@sightline/core/curation/create-identity';
import type { DomainEvent } from '@sightline/core/events/domain-event';
import { mediaKey, type MediaKind } from '@sightline/core/media/media-key';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { SourceImage } from '@sightline/core/sources/source-image';
import type { Database } from '@sightline/core/database/database';
import type { EntityLock } from '@sightline/core/store/entity-lock';
import type { Scope } from '@sightline/core/store/scope';
import { FACE_MODEL } from '@sightline/core/testing/fake-analyzer';

export interface SeededPhoto {
  readonly source: SourceImage;
  /** In the order in which they were asked for. */
  readonly ids: readonly number[];
}

export interface SeededFace extends Partial<NewDetection> {
  /** Confirmed, and by these models a reference of its identity. */
  readonly enrolledBy?: readonly number[];
}

/** What rows and files are made through. */
interface SeededStores {
  readonly database: Database;
  readonly media: MediaStore;
  readonly faceModelId: number;
  /** Asks the database as its owner. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** An environment that tests fill through the stores, without inference. */
export class SeededEnvironment {
  readonly scope: Scope;
  readonly #store: SeededStores;

  constructor(store: SeededStores, scope: Scope) {
    this.#store = store;
    this.scope = scope;
  }

  async identity(label: string, type: 'face' | 'object' = 'face'): Promise<number> {
    const { id } = await createIdentity(this.#store, { scope: this.scope, type, label });
    return id;
  }

  /** Sets columns of a detection to what no endpoint sets yet. */
  async change(detectionId: number, assignments: string): Promise<void> {
    await this.#store.query(`UPDATE detections SET ${assignments} WHERE id = $1`, [detectionId]);
  }

  /** Remembers that a detection is not of an identity, as a review does. */
  async reject(detectionId: number, identityId: number): Promise<void> {
    await this.#store.query(
      'INSERT INTO rejected_pairs (environment_id, detection_id, identity_id) VALUES ($1, $2, $3)',
      [this.scope.environmentId, detectionId, identityId],
    );
  }

  /** Stores an image with files of its own, and what is in it. */
  async photo(
    contents: readonly SeededFace[],
    externalRef: string | null = null,
  ): Promise<SeededPhoto> {
    const image = await this.#put('sources');
    const crops = await Promise.all(contents.map(() => this.#put('crops')));
    const locks = contents.flatMap(({ identityId }): EntityLock[] =>
      typeof identityId === 'number'
        ? [{ entity: 'identity', id: identityId, mode: 'exclusive' }]
        : [],
    );
    return this.#store.database.withEntities(
      { ...this.scope, locks: [...locks, { entity: 'source', digest: image.digest }] },
      async (tx) => {
        const source = await tx.sources.insert({
          digest: image.digest,
          sizeBytes: 5000,
          format: 'jpeg',
          width: 640,
          height: 480,
          storedWidth: 640,
          storedHeight: 480,
          mediaKey: image.key,
          mediaBytes: image.size,
          originalKey: null,
          externalRef,
        });
        const detections = contents.map(({ enrolledBy, ...changes }, index) => ({
          ...A_FACE,
          ...(enrolledBy && CONFIRMED),
          cropKey: crops[index]!.key,
          cropBytes: crops[index]!.size,
          ...changes,
        }));
        const ids = await tx.detections.insert(source, detections);
        await tx.references.enroll(
          contents.flatMap(({ enrolledBy = [], identityId }, index) =>
            enrolledBy.map((modelId) => ({
              identityId: identityId!,
              detectionId: ids[index]!,
              modelId,
            })),
          ),
        );
        return { source, ids };
      },
    );
  }

  async detection(id: number): Promise<Detection | null> {
    return this.#store.database.withScope(this.scope, ({ detections }) => detections.byId(id));
  }

  /** What was announced in the environment since the last call, oldest first. */
  async events(): Promise<readonly DomainEvent[]> {
    return this.#store.query<DomainEvent>(
      `WITH gone AS (
         DELETE FROM outbox WHERE environment_id = $1 RETURNING xid, id, event, data
       ) SELECT event, data FROM gone ORDER BY xid, id`,
      [this.scope.environmentId],
    );
  }

  async #put(kind: MediaKind) {
    const bytes = randomBytes(64);
    const digest = createHash('sha256').update(bytes).digest('hex');
    const key = mediaKey(this.scope.environmentId, kind, { digest, extension: 'jpg' });
    await this.#store.media.put(key, bytes);
    return { key, digest, size: bytes.length };
  }
}

const A_FACE: Omit<NewDetection, 'cropKey' | 'cropBytes'> = {
  type: 'face',
  bbox: { x: 10, y: 10, w: 100, h: 120 },
  confidence: 0.9,
  quality: 0.9,
  landmarks: null,
  classId: null,
  className: null,
  identityId: null,
  similarity: null,
  reviewStatus: 'pending',
  decidedBy: 'automatic',
  isManual: false,
  embeddingSource: 'aligned',
  age: null,
  gender: null,
  pose: null,
  embedding: null,
};

const CONFIRMED = { reviewStatus: 'confirmed', decidedBy: 'human' } as const;

/** An object without identity. */
export const AN_OBJECT: SeededFace = {
  type: 'object',
  quality: null,
  classId: 1,
  className: 'bicycle',
  embeddingSource: null,
};

/** The vector of FACE_MODEL's length at an angle, in degrees. */
export function direction(degrees: number): Float32Array {
  const radians = (degrees * Math.PI) / 180;
  const vector = new Float32Array(FACE_MODEL.embeddingDim!);
  vector[0] = Math.cos(radians);
  vector[1] = Math.sin(radians);
  return vector;
}
