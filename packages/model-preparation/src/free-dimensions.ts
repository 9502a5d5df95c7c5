import type {
  GraphMessage,
  NodeMessage,
  TensorMessage,
  ValueMessage,
} from '@sightline/engine/onnx/model-proto';
import { type Extent, isVariable, type Shape } from './extents.ts';
import { int64Tensor } from './tensor-values.ts';
import { traceExtents, type Trace } from './trace-extents.ts';

/** The names of the freed dimensions, in the layout of images: batch, channels, height, width. */
const NAMES: readonly (string | undefined)[] = ['batch', undefined, 'height', 'width'];
const SPACE = [2, 3];

interface Dimension {
  readonly dimValue?: number;
  readonly dimParam?: string;
}

/** Sets of input axes to free; the first set that the graph allows is used. */
const ATTEMPTS: readonly (readonly number[])[] = [[0, ...SPACE], SPACE, [0]];

/**
 * Makes the batch, height and width of an image graph dynamic, if its exporter fixed them to the size of an example. Also
 * frees the dependent dimensions of the outputs. A dimension is freed only if every node allows it
 * (`operator-extents.ts`) and processes each member of a batch separately. A Reshape with the length of the batch is
 * changed to copy the length from its input. At the declared size, the results are unchanged.
 */
export function freeDimensions(graph: GraphMessage): GraphMessage {
  for (const axes of ATTEMPTS) {
    const freed = freeAxes(graph, axes);
    if (freed !== undefined) return freed;
  }
  return graph;
}

/** Frees a set of axes. @returns undefined if the graph does not allow that */
function freeAxes(graph: GraphMessage, axes: readonly number[]): GraphMessage | undefined {
  const [input, ...more] = graph.input;
  const dims = input && dimsOf(input);
  if (dims?.length !== NAMES.length || more.length > 0) return undefined;
  const shape = dims.map(({ dimValue = 0 }, axis) =>
    axes.includes(axis) ? freeExtent(axis) : dimValue || 'fixed',
  );
  const { dimValue: batch = 0 } = dims[0]!;
  const trace = traceExtents(graph, { name: input!.name, shape, batch });
  const traced = trace && graph.output.every((output) => agrees(output, trace));
  if (!traced) return undefined;
  const names = NAMES.map((name, axis) => (axes.includes(axis) ? name : undefined));
  return {
    ...copyBatchInReshapes(graph, trace),
    input: [withDims(input!, names)],
    output: graph.output.map((value) => withDims(value, namesOf(trace.shapes.get(value.name)!))),
  };
}

function freeExtent(axis: number): Extent {
  return axis === 0 ? 'batch' : 'free';
}

function dimsOf(value: ValueMessage): readonly Dimension[] | undefined {
  return value.type?.tensorType?.shape?.dim;
}

/** Whether the shape of an output is known and has the declared rank. */
function agrees(output: ValueMessage, { shapes }: Trace): boolean {
  const rank = shapes.get(output.name)?.length;
  return rank !== undefined && rank === (dimsOf(output)?.length ?? rank);
}

/**
 * The names for the freed dimensions of an output. Only the batch gets a name. A shared name declares equal lengths,
 * but strides divide the height and width, so those of the output differ from those of the input.
 */
function namesOf(shape: Shape): readonly (string | undefined)[] {
  return shape.map((extent) =>
    isVariable(extent) ? (extent === 'batch' ? 'batch' : '') : undefined,
  );
}

/** @param names the names of the dimensions to free; undefined for a dimension to keep */
function withDims(value: ValueMessage, names: readonly (string | undefined)[]): ValueMessage {
  const tensorType = value.type?.tensorType;
  const dims = dimsOf(value);
  if (tensorType === undefined || dims === undefined) return value;
  const dim = dims.map((dimension, axis) => {
    const name = names[axis];
    if (name === undefined) return dimension;
    return name === '' ? {} : { dimParam: name };
  });
  return { ...value, type: { ...value.type, tensorType: { ...tensorType, shape: { dim } } } };
}

/** Makes Reshapes copy the batch. Each changed shape is a new constant, because other nodes may read the old one. */
function copyBatchInReshapes(graph: GraphMessage, { reshapes }: Trace): GraphMessage {
  const taken = new Set([...graph.initializer, ...graph.input].map(({ name }) => name));
  for (const name of graph.node.flatMap(({ output }) => output)) taken.add(name);
  const added = new Map<string, TensorMessage>();
  const node = graph.node.map((candidate): NodeMessage => {
    const target = reshapes.get(candidate);
    if (target === undefined) return candidate;
    let name = `${candidate.input[1]!}:${target.join(',')}`;
    while (taken.has(name)) name += "'";
    added.set(name, int64Tensor(name, target));
    return { ...candidate, input: candidate.input.with(1, name) };
  });
  return { ...graph, node, initializer: [...graph.initializer, ...added.values()] };
}
