import type { ActivateModelParams, JobProgress } from '../jobs/job.ts';
import type { ActivationStore, EnrolledImage } from '../models/activation-store.ts';
import { InferenceUnavailable } from '../models/model-errors.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts';
import { awaitAvailability, type AvailabilityDeps, followDesired } from './await-availability.ts';
import { EmbeddedImages } from './embedded-images.ts';
import { switchAtOnce } from './switch-at-once.ts';
import { reembedImage, type ReembedImageDeps } from '../reembedding/reembed-image.ts';
import { stragglersOf } from '../reembedding/reembeds-for.ts';

export interface ActivateModelDeps extends Omit<ReembedImageDeps, 'models'>, AvailabilityDeps {
  readonly models: ModelRegistry;
  readonly modelStore: Pick<ModelStore, 'activate' | 'joinForeign' | 'roles'>;
  readonly activations: Pick<ActivationStore, 'enrolledBehind' | 'countEnrolledBehind'>;
  readonly concurrency: number;
}

export interface ActivateModelOptions {
  readonly signal: AbortSignal;
  /** Called at most twice a second while images are embedded. */
  readonly report: (progress: JobProgress) => Promise<void>;
}

const PAGE = 200;
/**
 * The number of attempts to switch that fail if any enrolled face lacks an embedding. Later attempts tolerate a few
 * such faces, because callers may enroll faces faster than the job embeds them.
 */
const STRICT_ATTEMPTS = 20;
/** The number of images without embeddings that a later attempt tolerates. They are embedded right after the switch. */
const FEW = 20;

/**
 * Makes the pending model active. First, all hosts load the pending model while the active model still serves. Then
 * enrolled faces get embeddings of the pending model. Finally, one transaction switches all processes; until then,
 * callers notice no change. A repeated call embeds only faces that still lack embeddings.
 *
 * @returns the number of images whose enrolled faces were embedded
 * @throws ModelLoadFailed if a host cannot load the model; InferenceUnavailable if no host responds;
 *   ActivationSuperseded if another model is desired now; StoreUnavailable; the signal's reason on abort
 */
export async function activateModel(
  deps: ActivateModelDeps,
  { modelId, reembed }: ActivateModelParams,
  options: ActivateModelOptions,
): Promise<JobProgress> {
  const { signal } = options;
  const roles = await deps.modelStore.roles(signal);
  const { active, pending } = roles;
  const counts = new EmbeddedImages(options.report);
  // The model is already active if the process of an earlier run died between the switch and the end of the job.
  if (active.some(({ id }) => id === modelId)) return counts.progress;
  const model = pending.find(({ id }) => id === modelId);
  if (model === undefined) throw new InferenceUnavailable('The activation was cancelled.');
  await awaitAvailability(deps, { model, roles }, signal);
  {
    using followed = followDesired(deps, { model, roles }, signal);
    await switchTo(deps, { model, reembed, counts }, followed.signal);
  }
  deps.models.forget();
  // The new roles are published here, because the next poll of the rollout would publish them only some seconds
  // later.
  await publishRoles(deps, signal).catch(() => undefined);
  return counts.progress;
}

async function publishRoles(
  { source, modelStore }: ActivateModelDeps,
  signal: AbortSignal,
): Promise<void> {
  const roles = await modelStore.roles(signal);
  await source.publish({ roles, statuses: null, slots: [] }, signal);
}

interface Switch {
  readonly model: RegisteredModel;
  readonly reembed: ActivateModelParams['reembed'];
  readonly counts: EmbeddedImages;
}

async function switchTo(
  deps: ActivateModelDeps,
  { model, reembed, counts }: Switch,
  signal: AbortSignal,
): Promise<void> {
  // Faces whose vectors an archive brought need no new embedding.
  await deps.modelStore.joinForeign(signal);
  if (model.embeddingDim === null || reembed === 'after') {
    return switchAtOnce(deps.modelStore, model, { whilePending: true });
  }
  const jobsFor = stragglersOf(model);
  counts.expect(await deps.activations.countEnrolledBehind(model.id));
  for (let attempt = 1; ; attempt++) {
    await embedEnrolled(deps, { model, counts }, signal);
    signal.throwIfAborted();
    const few = attempt <= STRICT_ATTEMPTS ? 0 : FEW;
    const options = { jobsFor, mayBeBehind: counts.failed + few, whilePending: true };
    if (!(await deps.modelStore.activate(model.id, options))) continue;
    // The last images are embedded here, at once. The jobs for stragglers would embed them as well, but only when
    // their turn in the queue comes.
    if (few > 0) await embedEnrolled(deps, { model, counts }, signal);
    return;
  }
}

/** Embeds enrolled faces that lack embeddings of the model. Images that failed before are skipped. */
async function embedEnrolled(
  deps: ActivateModelDeps,
  { model, counts }: Omit<Switch, 'reembed'>,
  signal: AbortSignal,
): Promise<void> {
  await forEachConcurrently(enrolledBehind(deps, model), deps.concurrency, async (image) => {
    if (counts.hasFailed(image)) return;
    const { environmentId, sourceImageId } = image;
    const request = { scope: { environmentId }, sourceImageId, model };
    await counts.count(image, () => reembedImage(deps, request, { signal }));
  });
  await counts.report();
}

/** Yields the images in pages. The next page is read while images of the previous page are still being embedded. */
async function* enrolledBehind(
  { activations }: Pick<ActivateModelDeps, 'activations'>,
  { id }: RegisteredModel,
): AsyncGenerator<EnrolledImage> {
  let after: EnrolledImage | null = null;
  for (;;) {
    const page: readonly EnrolledImage[] = await activations.enrolledBehind(id, {
      after,
      limit: PAGE,
    });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!;
  }
}
