import { DomainError } from '../domain-error.ts';
import { isOutage } from '../jobs/is-outage.ts';
import type { JobProgress } from '../jobs/job.ts';
import type { EnrolledImage } from '../models/activation-store.ts';

/** The minimum time between two reports, in ms. Each report writes the row of the job. */
const REPORT_MS = 500;

/** Counts the images of an activation whose enrolled faces were embedded, and remembers the images that failed. */
export class EmbeddedImages {
  readonly #report: (progress: JobProgress) => Promise<void>;
  readonly #failed = new Set<string>();
  #done = 0;
  #expected = 0;
  #reportedAt = performance.now();

  constructor(report: (progress: JobProgress) => Promise<void>) {
    this.#report = report;
  }

  get progress(): JobProgress {
    const failed = this.failed;
    return { total: Math.max(this.#expected, this.#done + failed), done: this.#done, failed };
  }

  /** Sets the number of images to embed. More images may follow while the activation runs. */
  expect(images: number): void {
    this.#expected = images;
  }

  get failed(): number {
    return this.#failed.size;
  }

  hasFailed(image: EnrolledImage): boolean {
    return this.#failed.has(keyOf(image));
  }

  /**
   * Runs the work for an image. An error that the image causes is counted and not thrown.
   *
   * @throws errors of unavailable dependencies, and unexpected errors
   */
  async count(image: EnrolledImage, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#done++;
    } catch (error) {
      if (!(error instanceof DomainError) || isOutage(error)) throw error;
      this.#failed.add(keyOf(image));
    }
    if (performance.now() - this.#reportedAt >= REPORT_MS) await this.report();
  }

  async report(): Promise<void> {
    this.#reportedAt = performance.now();
    await this.#report(this.progress);
  }
}

function keyOf({ environmentId, sourceImageId }: EnrolledImage): string {
  return `${environmentId}/${sourceImageId}`;
}
