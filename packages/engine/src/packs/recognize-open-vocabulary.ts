import type { OnnxGraph, OnnxModel, OnnxValue } from '../onnx/onnx-model.ts';
import type { Recognition } from './recognition.ts';

/** The number of tokens that CLIP's text encoders read. */
const CONTEXT_LENGTH = 77;
/** The side of the input in pixels if the graph declares no side. */
const DEFAULT_SIDE = 640;

/**
 * Recognizes YOLO-World detectors that take the embeddings of phrases; returns null for anything
 * else. The inputs are an image [1, 3, side, side] and embeddings [1, phrases, values]. The outputs
 * are scores [1, cells, phrases] followed by boxes [1, cells, 4], or a single output [1, 4 +
 * phrases, cells].
 */
export function recognizeOpenVocabularyRole({ graph }: OnnxModel): Recognition | null {
  const image = graph.inputs.find(({ dims }) => dims?.length === 4);
  const text = graph.inputs.find(({ dims }) => dims?.length === 3);
  if (graph.inputs.length !== 2 || image?.dims?.[1] !== 3 || text === undefined) return null;
  const architecture = headOf(graph.outputs);
  if (architecture === null) {
    const reason =
      'takes an image and embeddings of phrases, but its outputs differ from those of YOLO-World';
    return { component: null, reason: `${reason}; it needs a manifest.json` };
  }
  const [, , height, width] = image.dims;
  return {
    component: {
      role: 'OpenVocabularyDetector',
      architecture,
      input: { width: width ?? DEFAULT_SIDE, height: height ?? DEFAULT_SIDE },
      mean: [0, 0, 0],
      std: [255, 255, 255],
      color_order: 'rgb',
    },
    provides: [],
  };
}

function headOf(outputs: readonly OnnxValue[]): 'yolo_world' | 'yolo_world_v8' | null {
  const [first, second] = outputs;
  if (first?.dims?.length !== 3) return null;
  if (outputs.length === 1) return 'yolo_world_v8';
  return second?.dims?.length === 3 && second.dims[2] === 4 ? 'yolo_world' : null;
}

/**
 * Recognizes CLIP's text encoders. Their inputs are token ids [texts, 77] and optionally a mask,
 * and their output is embeddings.
 */
export function recognizeTextRole({ inputs, outputs }: OnnxGraph): Recognition {
  const [ids] = inputs;
  const length = ids?.dims?.[1] ?? CONTEXT_LENGTH;
  const embeds = outputs.some(({ dims }) => dims?.length === 2);
  if (inputs.length > 2 || ids?.dims?.length !== 2 || length !== CONTEXT_LENGTH || !embeds) {
    return { component: null, reason: 'takes integers, but is not a text encoder of CLIP' };
  }
  return {
    component: {
      role: 'TextEncoder',
      architecture: 'clip_text',
      input: { width: null, height: null },
      mean: [0, 0, 0],
      std: [1, 1, 1],
      color_order: 'rgb',
    },
    provides: [],
  };
}
