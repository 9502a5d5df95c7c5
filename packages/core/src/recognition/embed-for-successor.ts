import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import { faceRegion, type Scale } from '../analysis/scale-region.ts';
import { readStoredFile, scaleToFile } from '../analysis/stored-file.ts';
import { DomainError } from '../domain-error.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { ModelRoles, RegisteredModel } from '../models/model-store.ts';
import type { ImagePlan } from './plan/image-plan.ts';
import { isForSuccessor, type SuccessorVectors } from './result/write-for-successor.ts';
import type { FileContent, FoundFace } from './run/image-run.ts';

export interface EmbedForSuccessorDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: Pick<ModelRegistry, 'roles'>;
  readonly media: Pick<MediaStore, 'open'>;
}

/** The timeout of the inference request, in ms. It is short because the embeddings are optional. */
const TIMEOUT_MS = 3_000;

/**
 * Embeds the new or enrolled faces of a plan with the successor of the run's face model. The successor is the pending
 * model during an activation, or the active model if the run began before the switch. The additional embeddings are
 * stored with the run, so that a person who is enrolled during a switch is recognized afterwards. They are optional,
 * because the activation or a job embeds faces without them.
 *
 * @returns null if there is no successor or no such face, or if inference failed or timed out
 * @throws the signal's reason on abort
 */
export async function embedForSuccessor(
  deps: EmbedForSuccessorDeps,
  plan: ImagePlan,
  signal?: AbortSignal,
): Promise<SuccessorVectors | null> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await embed(deps, plan, signal ? AbortSignal.any([signal, limit]) : limit);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted || error instanceof DomainError) return null;
    throw error;
  }
}

interface FaceToEmbed {
  readonly index: number;
  readonly face: FoundFace;
}

function facesToEmbed({ run, faces }: ImagePlan): readonly FaceToEmbed[] {
  const found = run.faces ?? [];
  return faces.flatMap((plan, index) => {
    const face = found[index]!;
    return face.embedding !== null && isForSuccessor(plan) ? [{ index, face }] : [];
  });
}

function successorOf(
  model: RegisteredModel,
  { active, pending }: ModelRoles,
): RegisteredModel | null {
  const next = [...pending, ...active].find(({ task }) => task === 'face');
  return next?.embeddingDim == null || next.id === model.id ? null : next;
}

async function embed(
  { analyzer, models, media }: EmbedForSuccessorDeps,
  plan: ImagePlan,
  signal: AbortSignal,
): Promise<SuccessorVectors | null> {
  const chosen = facesToEmbed(plan);
  if (chosen.length === 0) return null;
  const successor = successorOf(plan.run.models.faces!, await models.roles());
  if (successor === null || !(await isWarm(analyzer, successor, signal))) return null;
  const { image, scale } = await fileOf(media, plan, signal);
  const found = await analyzer.analyze(
    {
      image,
      faceRegions: chosen.map(({ face }) => faceRegion(face, scale)),
      models: { face: successor.revision },
    },
    signal,
  );
  const { model, items = [] } = found.faceRegions ?? {};
  if (model?.revision !== successor.revision) return null;
  const vectors = chosen.flatMap(({ index }, i) => {
    const { embedding } = items[i]!;
    return embedding === null ? [] : [[index, embedding] as const];
  });
  return { modelId: successor.id, vectors: new Map(vectors) };
}

/** Whether a process has loaded the model, so that a request can succeed. */
async function isWarm(
  analyzer: Pick<ImageAnalyzer, 'status'>,
  { revision }: RegisteredModel,
  signal: AbortSignal,
): Promise<boolean> {
  const { report } = await analyzer.status(signal);
  return report.some((model) => model.revision === revision && model.state === 'warm');
}

/**
 * The image file and its scale. A posted file is copied, because the analyzer takes the buffer and the original is
 * stored later.
 */
async function fileOf(
  media: EmbedForSuccessorDeps['media'],
  { run: { posted }, state }: ImagePlan,
  signal: AbortSignal,
): Promise<{ readonly image: Uint8Array; readonly scale: Scale }> {
  if (posted === null) {
    const source = state.source!;
    return { image: await readStoredFile(media, source, signal), scale: scaleToFile(source) };
  }
  const { image, rendition, original } = posted;
  if (original !== null) return { image: await copyOf(original), scale: { x: 1, y: 1 } };
  const scale = { x: rendition.width / image.width, y: rendition.height / image.height };
  return { image: await copyOf(rendition.jpeg), scale };
}

async function copyOf(content: FileContent): Promise<Uint8Array> {
  return content instanceof Uint8Array ? content.slice() : content.read();
}
