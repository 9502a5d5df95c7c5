import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import { type Scale, scaleRegion } from '../analysis/scale-region.ts';
import { readStoredFile, scaleToFile } from '../analysis/stored-file.ts';
import { DomainError } from '../domain-error.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { ModelRoles, RegisteredModel } from '../models/model-store.ts';
import type { FacePlan, ImagePlan } from './plan/image-plan.ts';
import type { FileContent, FoundFace } from './run/image-run.ts';

export interface EmbedForSuccessorDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: Pick<ModelRegistry, 'roles'>;
  readonly media: Pick<MediaStore, 'open'>;
}

/** Vectors of another face model than the one that a run was made with. */
export interface SuccessorVectors {
  readonly modelId: number;
  /** By index of the analyzed face; L2-normalized. */
  readonly vectors: ReadonlyMap<number, Float32Array>;
}

/** How long a request waits for vectors that it can do without, in ms. */
const PATIENCE_MS = 3_000;

/**
 * Embeds the faces that a plan stores or enrolls by the face model that follows the one of the run: the
 * coming one during an activation, or the active one if the run began before the switch. Stored together
 * with the others, these vectors keep whoever is enrolled meanwhile from being a stranger after the
 * switch. Nothing depends on them: what is missing, the activation or a job embeds.
 *
 * @returns null without such a model or such faces, or if the model did not answer in time
 * @throws the signal's reason on abort
 */
export async function embedForSuccessor(
  deps: EmbedForSuccessorDeps,
  plan: ImagePlan,
  signal?: AbortSignal,
): Promise<SuccessorVectors | null> {
  const limit = AbortSignal.timeout(PATIENCE_MS);
  try {
    return await embed(deps, plan, signal ? AbortSignal.any([signal, limit]) : limit);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.aborted || error instanceof DomainError) return null;
    throw error;
  }
}

/** Whether a face gets vectors of the successor: what is stored already, the activation looks at. */
export function isForSuccessor({ stored, enrollment }: FacePlan): boolean {
  return stored === null || enrollment !== null;
}

interface FaceToEmbed {
  readonly index: number;
  readonly face: FoundFace;
}

function facesToEmbed({ run, faces }: ImagePlan): readonly FaceToEmbed[] {
  const found = run.analysis.faces?.items ?? [];
  return faces.flatMap((plan, index) => {
    const face = found[index]!;
    return face.embedding !== null && isForSuccessor(plan) ? [{ index, face }] : [];
  });
}

function successorOf(
  model: RegisteredModel,
  { active, coming }: ModelRoles,
): RegisteredModel | null {
  const next = [...coming, ...active].find(({ task }) => task === 'face');
  return next?.embeddingDim == null || next.id === model.id ? null : next;
}

async function embed(
  { analyzer, models, media }: EmbedForSuccessorDeps,
  plan: ImagePlan,
  signal: AbortSignal,
): Promise<SuccessorVectors | null> {
  const wanted = facesToEmbed(plan);
  if (wanted.length === 0) return null;
  const successor = successorOf(plan.run.models.faces!, await models.roles());
  if (successor === null || !(await isHeld(analyzer, successor, signal))) return null;
  const { image, scale } = await fileOf(media, plan, signal);
  const found = await analyzer.analyze(
    {
      image,
      faceRegions: wanted.map(({ face }) => scaleRegion(face, scale)),
      models: { face: successor.revision },
    },
    signal,
  );
  const { model, items = [] } = found.faceRegions ?? {};
  if (model?.revision !== successor.revision) return null;
  const vectors = wanted.map(({ index }, i) => [index, items[i]!.embedding] as const);
  return { modelId: successor.id, vectors: new Map(vectors) };
}

/** Whether some process has it ready: else images would be sent for nothing, while all of them load it. */
async function isHeld(
  analyzer: Pick<ImageAnalyzer, 'status'>,
  { revision }: RegisteredModel,
  signal: AbortSignal,
): Promise<boolean> {
  const { held } = await analyzer.status(signal);
  return held?.some((model) => model.revision === revision && model.state === 'warm') ?? true;
}

/** The file that a job would read, and its scale. Of a posted one a copy: it is stored afterwards. */
async function fileOf(
  media: EmbedForSuccessorDeps['media'],
  { run, state }: ImagePlan,
  signal: AbortSignal,
): Promise<{ readonly image: Uint8Array; readonly scale: Scale }> {
  const { posted, analysis } = run;
  if (posted === null) {
    const source = state.source!;
    return { image: await readStoredFile(media, source, signal), scale: scaleToFile(source) };
  }
  if (posted.original !== null) {
    return { image: await copyOf(posted.original), scale: { x: 1, y: 1 } };
  }
  const { jpeg, width, height } = analysis.source!;
  const scale = { x: width / analysis.image.width, y: height / analysis.image.height };
  return { image: await copyOf(jpeg), scale };
}

async function copyOf(content: FileContent): Promise<Uint8Array> {
  return typeof content === 'function' ? content() : content.slice();
}
