import type { ActivateModelParams, JobProgress } from '../jobs/job.ts';
import type { ActivationStore, EnrolledImage } from '../models/activation-store.ts';
import { InferenceUnavailable } from '../models/model-errors.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { forEachAtATime } from '../analysis/for-each-at-a-time.ts';
import { awaitAvailability, type AvailabilityDeps, followDesired } from './await-availability.ts';
import { EmbeddedImages } from './embedded-images.ts';
import { reembedImage, type ReembedImageDeps } from '../reembedding/reembed-image.ts';
import { reembedsFor, stragglersOf } from '../reembedding/reembeds-for.ts';

export interface ActivateModelDeps extends Omit<ReembedImageDeps, 'models'>, AvailabilityDeps {
  readonly models: ModelRegistry;
  readonly modelStore: Pick<ModelStore, 'activate' | 'roles'>;
  readonly activations: Pick<ActivationStore, 'enrolledBehind' | 'countEnrolledBehind'>;
  /** How many images are embedded at the same time. */
  readonly concurrency: number;
}

export interface ActivateModelOptions {
  readonly signal: AbortSignal;
  /** Called from time to time while images are embedded. */
  readonly report: (progress: JobProgress) => Promise<void>;
}

const PAGE = 200;
/**
 * Attempts that leave nobody behind: images that were enrolled with the previous model meanwhile are embedded
 * before the next one. Under a flood of decisions there always are some.
 */
const STRICT_ATTEMPTS = 20;
/** Images that later attempts may leave behind: so few are embedded within a moment after the switch. */
const FEW = 20;

/**
 * Makes the pending model the active one: all hosts load it beside the present one, enrolled faces get its
 * vectors, and then all processes switch in one transaction. Until then nothing changes for callers. If it is
 * repeated, it continues with the faces that lack vectors.
 *
 * @returns images whose enrolled faces were embedded
 * @throws ModelLoadFailed if one host cannot load it; InferenceUnavailable while none answers; ActivationSuperseded
 *   if it is not desired any more; StoreUnavailable; the signal's reason on abort
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
  // It was switched to before the process died that did it.
  if (active.some(({ id }) => id === modelId)) return counts.progress;
  const model = pending.find(({ id }) => id === modelId);
  // Another process has ended the job.
  if (model === undefined) throw new InferenceUnavailable('The activation was cancelled.');
  await awaitAvailability(deps, { model, roles }, signal);
  {
    using followed = followDesired(deps, { model, roles }, signal);
    await switchTo(deps, { model, reembed, counts }, followed.signal);
  }
  deps.models.forget();
  // The rollout publishes it too, but some seconds later.
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
  const embeds = model.embeddingDim !== null;
  if (!embeds || reembed === 'after') {
    await deps.modelStore.activate(model.id, embeds ? { jobsFor: reembedsFor(model) } : {});
    return;
  }
  const jobsFor = stragglersOf(model);
  counts.expect(await deps.activations.countEnrolledBehind(model.id));
  for (let attempt = 1; ; attempt++) {
    await embedEnrolled(deps, { model, counts }, signal);
    signal.throwIfAborted();
    const few = attempt <= STRICT_ATTEMPTS ? 0 : FEW;
    const mayBeBehind = counts.failed + few;
    if (!(await deps.modelStore.activate(model.id, { jobsFor, mayBeBehind }))) continue;
    // The jobs would do it, too, but when it is their turn.
    if (few > 0) await embedEnrolled(deps, { model, counts }, signal);
    return;
  }
}

/** Embeds all enrolled faces that lack vectors of the model, but those that failed before. */
async function embedEnrolled(
  deps: ActivateModelDeps,
  { model, counts }: Omit<Switch, 'reembed'>,
  signal: AbortSignal,
): Promise<void> {
  await forEachAtATime(deps.concurrency, enrolledBehind(deps, model), async (image) => {
    if (counts.hasFailed(image)) return;
    const { environmentId, sourceImageId } = image;
    const request = { scope: { environmentId }, sourceImageId, model };
    await counts.count(image, () => reembedImage(deps, request, { signal }));
  });
  await counts.report();
}

/** A page is read while images of the one before it are at work. */
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
