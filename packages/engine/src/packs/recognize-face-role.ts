import { YUNET_OUTPUTS } from '../faces/yunet.ts';
import type { OnnxGraph, OnnxNode, OnnxValue } from '../onnx/onnx-model.ts';
import type { PackComponent } from './manifest.ts';
import type { Recognition } from './recognition.ts';

/**
 * The possible numbers of outputs of SCRFD and RetinaFace: scores and boxes of 3 or 5 strides, with
 * or without landmarks.
 */
const DETECTOR_OUTPUTS = new Set([6, 9, 10, 15]);

/**
 * The output length of a 3D landmark network: 68 points of the visible face and 1,035 points of the
 * mesh behind them, with three coordinates each.
 */
const LANDMARK_3D_OUTPUTS = 3309;

/**
 * Recognizes YuNet and the models of an insightface folder; returns null for anything else. The
 * rules and the normalization (mean 127.5, std 128 or 127.5, none if the graph normalizes) are
 * those of `model_zoo` in insightface (Python). SFace is recognized as an insightface recognizer,
 * because its graph has the same shape and normalization.
 */
export function recognizeFaceRole(graph: OnnxGraph): Recognition | null {
  const size = inputSize(graph);
  if (size === null) return null;
  if (isSwapper(graph, size)) return ignored('swaps faces, which is not supported');
  if (graph.inputs.length !== 1) return null;
  const detector = recognizeDetector(size, graph.outputs);
  if (detector !== null) return detector;
  const output = graph.outputs[0]?.dims;
  if (graph.outputs.length !== 1 || output?.length !== 2) return null;
  return recognizeCropModel(size, {
    length: output[1] ?? null,
    normalized: normalizesItself(graph),
  });
}

type Size = PackComponent['input'];

function recognizeDetector(size: Size, outputs: readonly OnnxValue[]): Recognition | null {
  if (isYunet(outputs)) return yunet(size);
  return isScrfd(outputs) ? scrfd(size, outputs.length) : null;
}

function isScrfd(outputs: readonly OnnxValue[]): boolean {
  return (
    DETECTOR_OUTPUTS.has(outputs.length) && mayHaveRowsOf(outputs, 1) && mayHaveRowsOf(outputs, 4)
  );
}

/** YuNet is recognized by its output names, because the shapes differ between exports. */
function isYunet(outputs: readonly OnnxValue[]): boolean {
  const names = new Set(outputs.map(({ name }) => name));
  return names.size === YUNET_OUTPUTS.length && YUNET_OUTPUTS.every((name) => names.has(name));
}

function yunet(input: Size): Recognition {
  const spec = { role: 'FaceDetector', architecture: 'yunet' } as const;
  return { component: { ...spec, input, ...RAW, color_order: 'bgr' }, provides: ['landmarks'] };
}

function mayHaveRowsOf(outputs: readonly OnnxValue[], length: number): boolean {
  return outputs.some(({ dims }) => [length, null, undefined].includes(dims?.at(-1)));
}

function isSwapper({ inputs }: OnnxGraph, { width, height }: Size): boolean {
  return inputs.length === 2 && width === 128 && height === 128;
}

function scrfd(input: Size, outputCount: number): Recognition {
  const spec = { role: 'FaceDetector', architecture: 'scrfd' } as const;
  // Each stride has a third output if the network detects landmarks.
  const provides = outputCount === 9 || outputCount === 15 ? (['landmarks'] as const) : [];
  return { component: { ...spec, input, ...rgb(127.5, 128) }, provides };
}

/** The output of a network that takes a square face crop: [N, length]. */
interface CropOutput {
  readonly length: number | null;
  /** Whether the graph normalizes its input itself. */
  readonly normalized: boolean;
}

/** Recognizes models that take one aligned face by the side of their crop. */
function recognizeCropModel(input: Size, output: CropOutput): Recognition | null {
  if (input.height === null || input.height !== input.width) return null;
  if (input.height === 192) return landmarks(input, output);
  if (input.height === 96) return attributes(input, output);
  const embeds = input.height >= 112 && input.height % 16 === 0;
  return embeds ? recognizer(input, output) : null;
}

function landmarks(input: Size, { length, normalized }: CropOutput): Recognition {
  if (length !== LANDMARK_3D_OUTPUTS) return ignored('detects 2D landmarks, which are not used');
  const spec = { role: 'Landmark3D', architecture: 'landmark_3d_68' } as const;
  const pixels = normalized ? RAW : rgb(127.5, 128);
  return { component: { ...spec, input, ...pixels }, provides: ['pose'] };
}

function attributes(input: Size, { length, normalized }: CropOutput): Recognition {
  if (length !== 3) return ignored('estimates attributes other than age and gender');
  const spec = { role: 'GenderAge', architecture: 'genderage' } as const;
  const pixels = normalized ? RAW : rgb(127.5, 128);
  return { component: { ...spec, input, ...pixels }, provides: ['age', 'gender'] };
}

function recognizer(input: Size, { length, normalized }: CropOutput): Recognition {
  if (length === null) return ignored('does not declare the length of its embeddings');
  const spec = { role: 'FaceRecognizer', architecture: 'arcface', embedding_dim: length } as const;
  const pixels = normalized ? RAW : rgb(127.5, 127.5);
  return { component: { ...spec, input, ...pixels }, provides: [] };
}

/**
 * Returns whether the graph itself subtracts the mean and scales. Models converted from MXNet do
 * both right behind the input, with the nodes Sub and Mul or with a batch normalization named
 * `bn_data`.
 */
function normalizesItself(graph: OnnxGraph): boolean {
  let node = consumer(graph, graph.inputs[0]?.name);
  while (node?.opType === 'Identity') node = consumer(graph, node.outputs[0]);
  if (node?.name === 'bn_data') return true;
  return node?.opType === 'Sub' && consumer(graph, node.outputs[0])?.opType === 'Mul';
}

function consumer(graph: OnnxGraph, value: string | undefined): OnnxNode | undefined {
  return graph.nodes.find(({ inputs }) => value !== undefined && inputs.includes(value));
}

/** Returns null if the first input is not an image of three channels. */
function inputSize({ inputs }: OnnxGraph): Size | null {
  const dims = inputs[0]?.dims;
  if (dims?.length !== 4 || dims[1] !== 3) return null;
  return { height: dims[2] ?? null, width: dims[3] ?? null };
}

type Preprocessing = Pick<PackComponent, 'mean' | 'std' | 'color_order'>;

function rgb(mean: number, std: number): Preprocessing {
  return { mean: [mean, mean, mean], std: [std, std, std], color_order: 'rgb' };
}

const RAW = rgb(0, 1);

function ignored(reason: string): Recognition {
  return { component: null, reason };
}
