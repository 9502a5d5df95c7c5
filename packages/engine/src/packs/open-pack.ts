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
import { FileRefused } from '../onnx/file-refused.ts';
import { type ModelSession, openSession, type SessionOptions } from '../onnx/session.ts';
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
    const net = new FaceDetector(session, faceDetectorSpec(component));
    await net.detect(BLANK, { threshold: 0.5, fullFramePass: true });
    return net;
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
      : await opening.open('ObjectDetector', async (session, component) => {
          const net = new ObjectDetector(session, objectDetectorSpec(component));
          await net.detect(BLANK, NO_OBJECTS);
          return net;
        });
  if (detector === null) throw roleMissing(pack, 'ObjectDetector');
  return opening.finish(new ObjectPipeline(detector));
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
    const net = new OpenVocabularyDetector(session, new KeptPhrases(encoder), spec);
    await net.detect(BLANK, NO_OBJECTS);
    return net;
  });
}

function faceDetectorSpec(component: ComponentOf<'FaceDetector'>): FaceDetectorSpec {
  const { architecture, score_floor } = component;
  return {
    architecture,
    preprocess: preprocessSpec(component),
    size: preferredSize(component),
    scoreFloor: score_floor,
  };
}

function genderAgeSpec(component: ComponentOf<'GenderAge'>): GenderAgeSpec {
  return { architecture: component.architecture, preprocess: preprocessSpec(component) };
}

function objectDetectorSpec(component: ComponentOf<'ObjectDetector'>): ObjectDetectorSpec {
  const { architecture, input, classes = [] } = component;
  return { architecture, size: input, preprocess: preprocessSpec(component), classes };
}

function openVocabularySpec(component: ComponentOf<'OpenVocabularyDetector'>): OpenVocabularySpec {
  const { architecture, input, classes = [] } = component;
  return { architecture, size: input, preprocess: preprocessSpec(component), words: classes };
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
      const session = this.#sessions.use(await openSession(source, this.#options));
      return await openNet(session, component);
    } catch (error) {
      throw loadFailure(file, error);
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
