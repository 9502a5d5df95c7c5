import { type GraphMessage, decodeModel, encodeModel, type TensorMessage } from '../model-proto.ts';
import { isStandardDomain } from '../node-attributes.ts';
import { type FullSize, fixed, isVariable, type Shape } from './extents.ts';
import { GraphWriter } from './graph-writer.ts';
import type { Operand, Step } from './operand.ts';
import { RULES } from './rules.ts';

/** The first opset whose Slice takes its arguments as inputs. */
const FIRST_OPSET = 11;

/**
 * Frees the height and width of a detector's input, which its exporter fixed to the size of an example. The network can
 * then run on any smaller size whose sides are multiples of `full.step`.
 *
 * The length of every dimension is derived as a function of the height and width; a graph with a dimension for which
 * this fails is refused. So a freed graph computes the shapes for which the detector was made. Reshapes get targets
 * that follow the input, and constants with a value for each cell of the full grid are cut to the smaller grid. At the
 * full size no value changes.
 *
 * @returns undefined if the graph does not allow that
 * @throws FileRefused if the bytes are not an ONNX model
 */
export function freeSides(bytes: Uint8Array, full: FullSize): Uint8Array | undefined {
  const model = decodeModel(bytes);
  const standard = model.opsetImport.find(({ domain = '' }) => isStandardDomain({ domain }));
  const opset = standard?.version ?? 0;
  const isSparse = (model.graph.sparseInitializer ?? []).length > 0;
  if (opset < FIRST_OPSET || isSparse || hasFunctions(model)) return undefined;
  const graph = freeGraph(model.graph, { opset, full });
  return graph && encodeModel({ ...model, graph });
}

/** A file's own functions may have the names of standard operators. */
function hasFunctions(model: object): boolean {
  const { functions } = model as { readonly functions?: readonly unknown[] };
  return functions !== undefined && functions.length > 0;
}

type Setting = Pick<Step, 'opset' | 'full'>;

function freeGraph(graph: GraphMessage, setting: Setting): GraphMessage | undefined {
  const shape = imageShape(graph, setting.full);
  if (shape === undefined) return undefined;
  const operands = new Map<string, Operand>([[graph.input[0]!.name, { shape }]]);
  for (const tensor of graph.initializer) operands.set(tensor.name ?? '', constantOf(tensor));
  const writer = new GraphWriter(graph, setting.full);
  for (const node of graph.node) {
    const inputs = node.input.map((name) => (name === '' ? undefined : operands.get(name)));
    const results = derive({ ...setting, node, inputs }, writer);
    if (results === undefined || results.length < node.output.length) return undefined;
    for (const [index, name] of node.output.entries()) operands.set(name, results[index]!);
  }
  const outputs = shapesOf(graph, operands);
  return outputs && writer.finish(outputs);
}

/** The shapes of the graph's outputs; undefined if none depends on the size of the input. */
function shapesOf(
  { output }: GraphMessage,
  operands: ReadonlyMap<string, Operand>,
): Shape[] | undefined {
  const shapes = output.map(({ name }) => operands.get(name)?.shape);
  const areKnown = shapes.every((shape) => shape !== undefined);
  return areKnown && shapes.some((shape) => shape.some(isVariable)) ? shapes : undefined;
}

/** The shape of the only input, an image of the full size; undefined if it is something else. */
function imageShape({ input }: GraphMessage, { width, height }: FullSize): Shape | undefined {
  const dims = input[0]?.type?.tensorType?.shape?.dim.map(({ dimValue }) => dimValue);
  const expected = [1, 3, height, width];
  if (
    input.length !== 1 ||
    dims?.length !== 4 ||
    !expected.every((length, axis) => dims[axis] === length)
  ) {
    return undefined;
  }
  return [fixed(1), fixed(3), [['height/1']], [['width/1']]];
}

/** Derives the outputs of a node and writes the node for any size. */
function derive(step: Step, writer: GraphWriter): Operand[] | undefined {
  const { node, inputs } = step;
  if (!isStandardDomain(node)) return undefined;
  if (node.opType === 'Constant') {
    const value = node.attribute?.find(({ name }) => name === 'value')?.t;
    writer.copy(node);
    return value && [constantOf(value)];
  }
  const isKnown = inputs.every((operand, index) => operand ?? node.input[index] === '');
  const outcome = isKnown ? RULES.get(node.opType)?.(step) : undefined;
  if (outcome === undefined) return undefined;
  writer.write(node, inputs, outcome);
  return outcome.shapes.map((shape) => ({ shape }));
}

function constantOf(constant: TensorMessage): Operand {
  return { shape: constant.dims.map(fixed), constant };
}
