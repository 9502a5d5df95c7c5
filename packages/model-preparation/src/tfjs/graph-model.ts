import { z } from 'zod';
import { FileRefused } from '@sightline/engine/onnx/file-refused';

/** The JSON form of protocol buffers writes 64-bit integers as strings. */
const integer = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,15}$/)
    .transform(Number),
]);
/** The size of each axis; -1 for a dynamic axis. */
const shape = z.object({ dim: z.array(z.object({ size: integer })).default([]) });

const attributeSchema = z.object({
  /** A string in base64. */
  s: z.base64().optional(),
  i: integer.optional(),
  b: z.boolean().optional(),
  shape: shape.optional(),
  list: z.object({ s: z.array(z.base64()).optional(), i: z.array(integer).optional() }).optional(),
});

const nodeSchema = z.object({
  // A colon separates a node's name from the number of its output.
  name: z.string().regex(/^[^:^]+$/, { error: 'must be a name without ":" and "^"' }),
  op: z.string().min(1),
  input: z.array(z.string()).default([]),
  attr: z.record(z.string(), attributeSchema).default({}),
});

const weightSchema = z.object({
  name: z.string(),
  shape: z.array(z.int().min(1)),
  dtype: z.string(),
  quantization: z.object({ dtype: z.string() }).optional(),
});

const modelSchema = z.object({
  format: z.literal('graph-model'),
  modelTopology: z.object({ node: z.array(nodeSchema) }),
  weightsManifest: z.array(z.object({ weights: z.array(weightSchema) })),
});

/** A node of the graph, with attributes as in the protocol buffer: strings are in base64. */
export type GraphNode = Readonly<z.infer<typeof nodeSchema>>;

/** The description of a weight. The weights file contains the weights in the order of their descriptions. */
export type WeightSpec = Readonly<z.infer<typeof weightSchema>>;

/** A TensorFlow.js graph model without its weights. */
export interface GraphModel {
  /** The nodes by name. */
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /** The weights in the order of the weights file. */
  readonly weights: readonly WeightSpec[];
}

/**
 * Reads the `model.json` of a TensorFlow.js graph model.
 *
 * @throws FileRefused with the name of the first invalid field
 */
export function readGraphModel(bytes: Uint8Array): GraphModel {
  const result = modelSchema.safeParse(parseJson(bytes));
  if (!result.success) {
    const issue = result.error.issues[0]!;
    throw new FileRefused(
      `is not a TensorFlow.js graph model (${[issue.path.join('.'), issue.message].join(': ')})`,
    );
  }
  const { modelTopology, weightsManifest } = result.data;
  const nodes = new Map(modelTopology.node.map((node) => [node.name, node]));
  if (nodes.size < modelTopology.node.length)
    throw new FileRefused('has two nodes with the same name');
  return { nodes, weights: weightsManifest.flatMap(({ weights }) => weights) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new FileRefused('is not JSON', { cause: error });
  }
}
