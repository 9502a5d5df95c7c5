import type { JobProgress } from '../jobs/job.ts';
import type { ImportedImage } from '../recognition/import/write-import.ts';
import type { ReadableArchive } from './archive-reader.ts';

export interface ImportCounts {
  readonly identitiesCreated: number;
  /** The number of the archive's identities that already existed. */
  readonly identitiesMerged: number;
  readonly detectionsCreated: number;
  /** The number of created references, for all models. */
  readonly embeddingsCreated: number;
  /** The number of the archive's embeddings that were not imported, because the landmarks of their faces are implausible. */
  readonly embeddingsDropped: number;
  readonly imagesCreated: number;
  /** The number of images and detections that already existed. */
  readonly skipped: number;
}

/** Counts the rows of an import while it runs. */
export class ImportTally {
  readonly #archive: Pick<ReadableArchive, 'identities' | 'imageCount'>;
  #images = 0;
  #imagesCreated = 0;
  #identitiesCreated = 0;
  #detectionsCreated = 0;
  #embeddingsCreated = 0;
  #embeddingsDropped = 0;
  #skipped = 0;

  constructor(archive: Pick<ReadableArchive, 'identities' | 'imageCount'>) {
    this.#archive = archive;
  }

  addImage({ reused, detections, identities, references, droppedVectors }: ImportedImage): void {
    this.#images += 1;
    this.#imagesCreated += reused ? 0 : 1;
    this.#detectionsCreated += detections.created;
    this.#skipped += detections.kept + (reused ? 1 : 0);
    this.#identitiesCreated += identities;
    this.#embeddingsCreated += references;
    this.#embeddingsDropped += droppedVectors;
  }

  /** @param created the number of created identities that no image had mentioned */
  addIdentities(created: number): void {
    this.#identitiesCreated += created;
  }

  get progress(): JobProgress {
    return { total: this.#archive.imageCount, done: this.#images, failed: 0 };
  }

  get counts(): ImportCounts {
    const ofArchive = this.#archive.identities.size;
    return {
      identitiesCreated: this.#identitiesCreated,
      // The difference could be negative, because an identity that a client deletes during the import may be created
      // twice.
      identitiesMerged: Math.max(0, ofArchive - this.#identitiesCreated),
      detectionsCreated: this.#detectionsCreated,
      embeddingsCreated: this.#embeddingsCreated,
      embeddingsDropped: this.#embeddingsDropped,
      imagesCreated: this.#imagesCreated,
      skipped: this.#skipped,
    };
  }
}
