import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectAnalysisOptions } from '@sightline/core/analysis/image-analyzer';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { squareAround } from '../faces/crop-around-box.ts';
import { FaceDetector, type FaceDetectorSpec } from '../faces/face-detector.ts';
import { FacePipeline } from '../faces/face-pipeline.ts';
import { FaceRecognizer } from '../faces/face-recognizer.ts';
import { GenderAgeEstimator, type GenderAgeSpec } from '../faces/gender-age-estimator.ts';
import { HeadPoseEstimator } from '../faces/head-pose-estimator.ts';
import type { Raster } from '../image/raster.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { ObjectDetector, type ObjectDetectorSpec } from '../objects/object-detector.ts';
import { ObjectPipeline } from '../objects/object-pipeline.ts';
import {
  OpenVocabularyDetector,
  type OpenVocabularySpec,
} from '../objects/open-vocabulary-detector.ts';
import { STEP } from '../objects/place-image.ts';
import { FileRefused } from '../onnx/file-refused.ts';
import { freeSides } from '../onnx/free-sides/free-sides.ts';
import {
  type ModelSession,
  type ModelSource,
  openSession,
  type SessionOptions,
} from '../onnx/session.ts';
import type { SessionPeers } from '../onnx/session-peers.ts';
import type { ClipTokenizer } from '../text/clip-tokenizer.ts';
import { KeptPhrases } from '../text/phrase-embedder.ts';
import { readTokenizer } from '../text/read-tokenizer.ts';
import { TextEncoder } from '../text/text-encoder.ts';
import {
  type ComponentOf,
  type ComponentRole,
  findComponent,
  type ModelPack,
  type PackComponent,
} from './manifest.ts';
import type { ModelContents } from './model-contents.ts';
import { loadFailure } from './load-failure.ts';
import { readPackFile } from './model-file.ts';
import type { PackFile } from './pack-files.ts';

export interface OpenOptions extends SessionOptions {
  /** The files that were read before and need not be read again. */
  readonly contents?: ModelContents;
  /** Returns the peers of the session of a role; default: sessions have none. */
  readonly peersOf?: (role: ComponentRole) => SessionPeers;
  /**
   * Called before each run of a network; throws if the runs are no longer needed. A single stage of an analysis may take
   * hundreds of runs.
   */
  readonly throwIfAborted?: () => void;
}

/** A loaded and warm pack. Disposal releases its sessions. */
export interface OpenPack<Pipeline> extends AsyncDisposable {
  readonly pipeline: Pipeline;
}

/**
 * The input of the warm-up. It shows no object, but makes every operator run once. It is not
 * square, because a graph may declare that it takes any size and yet fail on the first shape that
 * is not square.
 */
const BLANK: Raster = { data: new Uint8Array(3 * 256 * 192), width: 256, height: 192 };
const BOX = { x1: 64, y1: 64, x2: 192, y2: 192 };
/**
 * The faces of a warm-up batch. A graph may declare a free batch dimension and yet fail on the
 * first batch.
 */
const TWO_SQUARES = [BOX, BOX].map((box) => squareAround(box, 1));
const NO_OBJECTS: ObjectAnalysisOptions = { confidenceThreshold: 0.5, classFilter: [] };

/**
 * Loads a face pack: compares digests, checks the files, opens the sessions and runs each network
 * once. The sessions belong to the calling thread. If loading fails, all sessions are closed.
 *
 * @throws ModelLoadFailed naming the file and the reason
 */
export async function openFacePack(
  pack: ModelPack,
  options: OpenOptions,
): Promise<OpenPack<FacePipeline>> {
  await using opening = new PackOpening(pack, options);
  const detector = await opening.open('FaceDetector', async (session, component) => {
    const spec = faceDetectorSpec(component);
    return openDetector(
      spec,
      (given) => new FaceDetector(session, given),
      (net) => net.detect(BLANK, { threshold: 0.5, fullFramePass: true }),
    );
  });
  if (detector === null) throw roleMissing(pack, 'FaceDetector');
  const recognizer = await opening.open('FaceRecognizer', openRecognizer);
  const genderAge = await opening.open('GenderAge', async (session, component) => {
    const net = new GenderAgeEstimator(session, genderAgeSpec(component));
    await net.estimate(BLANK, TWO_SQUARES);
    return net;
  });
  const headPose = await opening.open('Landmark3D', async (session, component) => {
    const net = new HeadPoseEstimator(session, preprocessSpec(component));
    await net.estimate(BLANK, TWO_SQUARES);
    return net;
  });
  const models = { detector, recognizer, genderAge, headPose };
  return opening.finish(new FacePipeline(models, pack.manifest.quality_calibration ?? null));
}

/**
 * Loads a pack of objects with its own classes or an open vocabulary, like {@link openFacePack}.
 *
 * @throws ModelLoadFailed
 */
export async function openObjectPack(
  pack: ModelPack,
  options: OpenOptions,
): Promise<OpenPack<ObjectPipeline>> {
  await using opening = new PackOpening(pack, options);
  const detector =
    pack.manifest.task === 'open_vocabulary'
      ? await openOpenVocabulary(opening)
      : ((await opening.openFreed('ObjectDetector', openFreedDetector, freeObjectSides)) ??
        (await opening.open('ObjectDetector', async (session, component) => {
          const spec = objectDetectorSpec(component);
          return openDetector(
            spec,
            (given) => new ObjectDetector(session, given),
            (net) => net.detect(BLANK, NO_OBJECTS),
          );
        })));
  if (detector === null) throw roleMissing(pack, 'ObjectDetector');
  return opening.finish(new ObjectPipeline(detector));
}

/**
 * Opens a detector whose graph had a fixed size. The rules by which the graph was changed determine every shape, and the
 * warm-up runs each operator on an input that is not square: onnxruntime rejects operands that do not fit each other. A
 * comparison with the original graph would need the memory and the time of two sessions.
 */
async function openFreedDetector(
  session: ModelSession,
  component: ComponentOf<'ObjectDetector'>,
): Promise<ObjectDetector> {
  const net = new ObjectDetector(session, objectDetectorSpec(component));
  await net.detect(BLANK, NO_OBJECTS);
  return net;
}

/** Frees the sides of a detector's input. The stretched images of CenterNet fill a square, so it has no use for that. */
function freeObjectSides(
  bytes: Uint8Array,
  { architecture, input, letterbox }: ComponentOf<'ObjectDetector'>,
): Uint8Array | undefined {
  if (letterbox === 'square' || architecture === 'centernet') return undefined;
  return freeSides(bytes, { ...input, step: STEP });
}

/**
 * Loads the text encoder and the detector. The detector's warm-up run searches for the pack's own classes, so the
 * encoder embeds them as well.
 */
async function openOpenVocabulary(opening: PackOpening): Promise<OpenVocabularyDetector | null> {
  const encoder = await opening.open('TextEncoder', async (session, component) => {
    const net = new TextEncoder(session, await opening.readTokenizer(component));
    await net.encode(['warm', 'up']);
    return net;
  });
  if (encoder === null) return null;
  return opening.open('OpenVocabularyDetector', async (session, component) => {
    const spec = openVocabularySpec(component);
    const phrases = new KeptPhrases(encoder);
    return openDetector(
      spec,
      (given) => new OpenVocabularyDetector(session, phrases, given),
      (net) => net.detect(BLANK, NO_OBJECTS),
    );
  });
}

/**
 * Makes a detector and runs it once. A graph may declare that it accepts any size and yet fail on one that is not
 * square, or not a multiple of a stride that the engine does not know. Then its input stays square.
 */
async function openDetector<Spec extends { readonly letterbox?: 'square' | undefined }, Net>(
  spec: Spec,
  make: (spec: Spec) => Net,
  warmUp: (net: Net) => Promise<unknown>,
): Promise<Net> {
  const net = make(spec);
  try {
    await warmUp(net);
    return net;
  } catch (error) {
    if (spec.letterbox === 'square') throw error;
    return openDetector({ ...spec, letterbox: 'square' }, make, warmUp);
  }
}

function faceDetectorSpec(component: ComponentOf<'FaceDetector'>): FaceDetectorSpec {
  const { architecture, score_floor, letterbox } = component;
  return {
    architecture,
    preprocess: preprocessSpec(component),
    size: preferredSize(component),
    scoreFloor: score_floor,
    letterbox,
  };
}

function genderAgeSpec(component: ComponentOf<'GenderAge'>): GenderAgeSpec {
  return { architecture: component.architecture, preprocess: preprocessSpec(component) };
}

function objectDetectorSpec(component: ComponentOf<'ObjectDetector'>): ObjectDetectorSpec {
  const { architecture, input, letterbox, classes = [] } = component;
  return { architecture, size: input, letterbox, preprocess: preprocessSpec(component), classes };
}

function openVocabularySpec(component: ComponentOf<'OpenVocabularyDetector'>): OpenVocabularySpec {
  const { architecture, input: size, letterbox, classes: words = [] } = component;
  return { architecture, size, letterbox, preprocess: preprocessSpec(component), words };
}

async function openRecognizer(
  session: ModelSession,
  component: PackComponent,
): Promise<FaceRecognizer> {
  const net = new FaceRecognizer(session, preprocessSpec(component));
  const face = new Uint8Array(3 * net.side * net.side);
  for (const { length } of await net.embed(TWO_SQUARES.map(() => face))) {
    if (length !== component.embedding_dim) {
      throw new FileRefused(
        `makes embeddings of ${length} values instead of ${component.embedding_dim}`,
      );
    }
  }
  return net;
}

type OpenNet<Role extends ComponentRole, Net> = (
  session: ModelSession,
  component: ComponentOf<Role>,
) => Promise<Net>;

/** Changes a model file in memory. Returns undefined if the file cannot or need not be changed. */
type ChangeFile<Role extends ComponentRole> = (
  bytes: Uint8Array,
  component: ComponentOf<Role>,
) => Uint8Array | undefined;

/** The sessions of a pack while it is being opened. If one session fails, all are released. */
class PackOpening implements AsyncDisposable {
  readonly #pack: ModelPack;
  readonly #options: OpenOptions;
  readonly #sessions = new AsyncDisposableStack();

  constructor(pack: ModelPack, options: OpenOptions) {
    this.#pack = pack;
    this.#options = options;
  }

  /** Returns null if the pack has no component of this role. */
  async open<Role extends ComponentRole, Net>(
    role: Role,
    openNet: OpenNet<Role, Net>,
  ): Promise<Net | null> {
    const component = findComponent(this.#pack.manifest, role);
    if (component === undefined) return null;
    const { file } = component;
    const takes = role === 'TextEncoder' ? 'tokens' : 'float32';
    try {
      const bytes = await this.#read(component);
      const source = { file, bytes, takes } as const;
      const session = this.#sessions.use(await this.#openSession(source));
      const peers = this.#options.peersOf?.(role);
      return await openNet(peers ? Object.assign(session, { peers }) : session, component);
    } catch (error) {
      throw loadFailure(file, error);
    }
  }

  /**
   * Like `open`, but with a file that was changed in memory. Each thread changes the file itself, because the change would
   * block the main thread, and a thread that replaces a crashed one reads the original file.
   *
   * @returns null if the pack has no such component, or the changed file does not work; the original file may
   */
  async openFreed<Role extends ComponentRole, Net>(
    role: Role,
    openNet: OpenNet<Role, Net>,
    change: ChangeFile<Role>,
  ): Promise<Net | null> {
    const component = findComponent(this.#pack.manifest, role);
    if (component === undefined) return null;
    await using opened = new AsyncDisposableStack();
    try {
      const bytes = change(await this.#read(component), component);
      if (bytes === undefined) return null;
      const session = opened.use(await this.#openSession({ file: component.file, bytes }));
      // The copy is freed at once, because a model may have hundreds of megabytes. A small one shares a buffer with others.
      const { buffer } = bytes;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength)
        buffer.transfer(0);
      const net = await openNet(session, component);
      this.#sessions.use(opened.move());
      return net;
    } catch {
      return null;
    }
  }

  /** @throws ModelLoadFailed naming the file of the tokenizer */
  async readTokenizer({ tokenizer }: ComponentOf<'TextEncoder'>): Promise<ClipTokenizer> {
    const [json, merges] = tokenizer!;
    try {
      return readTokenizer({
        json: await this.#read(json!),
        merges: merges && (await this.#read(merges)),
      });
    } catch (error) {
      throw loadFailure(json!.file, error);
    }
  }

  async #openSession(source: ModelSource): Promise<ModelSession> {
    const session = await openSession(source, this.#options);
    const { throwIfAborted } = this.#options;
    if (throwIfAborted === undefined) return session;
    const run: ModelSession['run'] = async (feeds, tokens) => {
      // The thread learns of an abort by a message. It receives those of the last run before the next turn.
      await nextTurn();
      throwIfAborted();
      return session.run(feeds, tokens);
    };
    return { ...session, run };
  }

  /**
   * Returns the contents of a file. If no other thread has read and checked the file, this method
   * does.
   */
  async #read(file: PackFile): Promise<Uint8Array> {
    return (
      this.#options.contents?.get(file.sha256) ?? (await readPackFile(this.#pack.directory, file))
    );
  }

  finish<Pipeline>(pipeline: Pipeline): OpenPack<Pipeline> {
    const sessions = this.#sessions.move();
    return { pipeline, [Symbol.asyncDispose]: () => sessions.disposeAsync() };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#sessions.disposeAsync();
  }
}

function roleMissing({ manifest }: ModelPack, role: ComponentRole): ModelLoadFailed {
  return new ModelLoadFailed(
    `The pack ${manifest.name} (task ${manifest.task}) has no component of role ${role}.`,
  );
}

/** Returns undefined if the network decides. */
function preferredSize({ input: { width, height } }: PackComponent): Size | undefined {
  return width === null || height === null ? undefined : { width, height };
}

function preprocessSpec({ mean, std, color_order }: PackComponent): PreprocessSpec {
  return { mean, std, colorOrder: color_order };
}
