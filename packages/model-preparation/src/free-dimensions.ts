import type {
  GraphMessage,
  NodeMessage,
  TensorMessage,
  ValueMessage,
} from '@sightline/engine/onnx/model-proto';
import { type Extent, follows, type Shape } from './extents.ts';
import { int64Tensor } from './tensor-values.ts';
import { traceExtents, type Trace } from './trace-extents.ts';

/** The usual layout of images: batch, channels, height, width. */
const NAMES: readonly (string | undefined)[] = ['batch', undefined, 'height', 'width'];
const SPACE = [2, 3];

interface Dimension {
  readonly dimValue?: number;
  readonly dimParam?: string;
}

/** Sets of axes of the input to be free, the first that the graph allows. */
const ATTEMPTS: readonly (readonly number[])[] = [[0, ...SPACE], SPACE, [0]];

/**
 * Leaves open what an exporter fixed by the example it traced: batch, height and width of a graph
 * with one image as input, and what follows from them in its outputs. A dimension is freed only if
 * every node is known to allow that (`operator-extents.ts`) and to treat each member of a batch by
 * itself; a Reshape that names the batch is asked to copy it instead. At the size that the graph
 * declared it computes what it did.
 */
export function freeDimensions(graph: GraphMessage): GraphMessage {
  for (const axes of ATTEMPTS) {
    const freed = freeAxes(graph, axes);
    if (freed !== undefined) return freed;
  }
  return graph;
}

/** One set of axes; undefined if the graph does not allow it. */
function freeAxes(graph: GraphMessage, axes: readonly number[]): GraphMessage | undefined {
  const [input, ...more] = graph.input;
  const dims = input && dimsOf(input);
  if (dims?.length !== NAMES.length || more.length > 0) return undefined;
  const shape = dims.map(({ dimValue = 0 }, axis) =>
    axes.includes(axis) ? freeExtent(axis) : dimValue || 'fixed',
  );
  const { dimValue: batch = 0 } = dims[0]!;
  const trace = traceExtents(graph, { name: input!.name, shape, batch });
  const followed = trace && graph.output.every((output) => agrees(output, trace));
  if (!followed) return undefined;
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

/** Whether the output is followed, and has as many dimensions as it declares, if it does. */
function agrees(output: ValueMessage, { shapes }: Trace): boolean {
  const rank = shapes.get(output.name)?.length;
  return rank !== undefined && rank === (dimsOf(output)?.length ?? rank);
}

/** Lengths at several strides follow from one free dimension but differ, so they get no name. */
function namesOf(shape: Shape): readonly (string | undefined)[] {
  return shape.map((extent) => (follows(extent) ? (extent === 'batch' ? 'batch' : '') : undefined));
}

/** @param names of dimensions to be free; undefined for those that stay as they are */
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

/** The shapes may be read elsewhere too, so those that change are new constants. */
function copyBatchInReshapes(graph: GraphMessage, { reshapes }: Trace): GraphMessage {
  const taken = new Set([...graph.initializer, ...graph.input].map(({ name }) => name));
  for (const name of graph.node.flatMap(({ output }) => output)) taken.add(name);
  const added = new Map<string, TensorMessage>();
  const node = graph.node.map((candidate): NodeMessage => {
    const wanted = reshapes.get(candidate);
    if (wanted === undefined) return candidate;
    let name = `${candidate.input[1]!}:${wanted.join(',')}`;
    while (taken.has(name)) name += "'";
    added.set(name, int64Tensor(name, wanted));
    return { ...candidate, input: candidate.input.with(1, name) };
  });
  return { ...graph, node, initializer: [...graph.initializer, ...added.values()] };
}
