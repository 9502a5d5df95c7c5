import { cropEntry, imageEntry } from '@sightline/contracts/archive/archive-layout';
import { clampBox, intersectionOverUnion } from '@sightline/core/analysis/geometry';
import type { NewIdentity } from '@sightline/core/identities/identity';
import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import { ARCHIVE_LIMITS } from '@sightline/core/transfer/archive-limits';
import type { ArchivedModel } from '@sightline/core/transfer/archive-reader';
import type { DetectionRecord, ImageRecord, PageImage } from './read-pages.ts';

export interface ArchiveHeads {
  readonly models: readonly ArchivedModel[];
  readonly identities: ReadonlyMap<number, NewIdentity>;
}

/**
 * Checks that the records of an archive agree with each other. Each image must be checked only once, because an id
 * that occurs a second time is refused as a duplicate.
 */
export class ImageChecker {
  readonly #dimensions: ReadonlyMap<number, number>;
  readonly #identities: ReadonlyMap<number, NewIdentity>;
  readonly #usedModels = new Set<number>();
  readonly #images = new Set<number>();
  readonly #digests = new Set<string>();
  readonly #detections = new Set<number>();

  constructor({ models, identities }: ArchiveHeads) {
    this.#dimensions = new Map(models.map(({ id, embeddingDim }) => [id, embeddingDim]));
    this.#identities = identities;
  }

  /** @throws ArchiveInvalid; read errors of the archive's file */
  async check({ record, vectors, entry }: PageImage): Promise<void> {
    const problem = this.#problemOf(record);
    if (problem !== null) {
      throw new ArchiveInvalid(entry, `is invalid: image ${record.image} ${problem}`);
    }
    const found = record.detections.flatMap((detection) => detection.vectors);
    const floats = found.reduce((sum, { model }) => sum + this.#dimensions.get(model)!, 0);
    if (floats > ARCHIVE_LIMITS.image.floats) {
      throw new ArchiveInvalid(entry, `is invalid: image ${record.image} has too many vectors`);
    }
    for (const { model, offset } of found) {
      await vectors.check(offset, this.#dimensions.get(model)!);
      this.#usedModels.add(model);
    }
  }

  /** The ids of the models of which the checked images have vectors. */
  get usedModels(): ReadonlySet<number> {
    return this.#usedModels;
  }

  #problemOf(record: ImageRecord): string | null {
    const { image, digest, file, original, size, detections } = record;
    if (this.#images.has(image) || this.#digests.has(digest)) return 'occurs twice';
    this.#images.add(image);
    this.#digests.add(digest);
    if (file.path !== imageEntry(image)) return 'names the file of another image';
    if (original !== null) {
      if (!original.path.startsWith(`originals/${image}.`))
        return 'names the file of another image';
      if (original.sha256 !== digest || original.size !== size)
        return 'differs from its original in digest or size';
    }
    for (const detection of detections) {
      const problem = this.#problemOfDetection(detection, record);
      if (problem !== null) return `has detection ${detection.detection}, which ${problem}`;
    }
    return null;
  }

  #problemOfDetection(record: DetectionRecord, image: ImageRecord): string | null {
    const { detection, bbox, crop } = record;
    if (this.#detections.has(detection)) return 'occurs twice';
    this.#detections.add(detection);
    if (crop.path !== cropEntry(detection)) return 'names the crop of another detection';
    const { w, h } = clampBox(bbox, image);
    if (w <= 0 || h <= 0) return 'lies outside the image';
    // An import recognizes stored detections by the overlap of boxes. A box without an area does not even overlap
    // itself, so each import would add such a detection again.
    if (!(intersectionOverUnion(bbox, bbox) > 0.9)) return 'has a box without an area';
    return this.#problemOfIdentities(record) ?? this.#problemOfVectors(record);
  }

  #problemOfIdentities({ type, identity, rejected_from }: DetectionRecord): string | null {
    const rejected = rejected_from.map((rejection) => rejection.identity);
    for (const id of [...(identity === null ? [] : [identity]), ...rejected]) {
      const known = this.#identities.get(id);
      if (known === undefined) return `names identity ${id}, which is missing`;
      if (known.type !== type) return `names identity ${id}, which is of another type`;
    }
    if (new Set(rejected).size < rejected.length) return 'is rejected from an identity twice';
    if (identity !== null && rejected.includes(identity)) return 'is rejected from its identity';
    const latest = rejected_from.filter(({ is_latest }) => is_latest);
    return latest.length > 1 ? 'has two latest rejections' : null;
  }

  #problemOfVectors({ vectors }: DetectionRecord): string | null {
    const missing = vectors.find(({ model }) => !this.#dimensions.has(model));
    if (missing !== undefined) return `names model ${missing.model}, which is missing`;
    const models = new Set(vectors.map(({ model }) => model));
    return models.size < vectors.length ? 'has two vectors for one model' : null;
  }
}
