import type { GraphMessage, NodeMessage, TensorMessage } from '@sightline/engine/onnx/model-proto';
import type { Shape } from './extents.ts';
import { intAttribute, isStandard, isStandardDomain } from './node-attributes.ts';
import { BROADCASTING, type Operand, RULES } from './operator-extents.ts';
import { reshapeExtents } from './reshape-extents.ts';
import { tensorValues } from './tensor-values.ts';

export interface Start {
  readonly name: string;
  readonly shape: Shape;
  /** The length of the batch for which the graph was exported; 0 if the batch was free already. */
  readonly batch: number;
}

export interface Trace {
  /** The shapes of all constants and of all values that depend on the input. */
  readonly shapes: ReadonlyMap<string, Shape>;
  /** The new target shapes of Reshape nodes. */
  readonly reshapes: ReadonlyMap<NodeMessage, readonly number[]>;
}

/**
 * Propagates the free dimensions of the graph's only input through all nodes.
 *
 * @returns undefined if a node does not allow free dimensions, or is not supported
 */
export function traceExtents(graph: GraphMessage, start: Start): Trace | undefined {
  const operands = new Map<string, Operand>([[start.name, { shape: start.shape }]]);
  for (const tensor of graph.initializer) operands.set(tensor.name ?? '', constantOperand(tensor));
  const reshapes = new Map<NodeMessage, readonly number[]>();
  for (const node of graph.node) {
    const inputs = node.input.map((name) => (name === '' ? undefined : operands.get(name)));
    const reshaped = reshape(node, inputs, start.batch);
    if (reshaped?.isChanged) reshapes.set(node, reshaped.target);
    const result = reshaped ? { shape: reshaped.shape } : propagate(node, inputs);
    if (result === undefined) return undefined;
    operands.set(node.output[0] ?? '', result);
  }
  return { shapes: new Map([...operands].map(([name, { shape }]) => [name, shape])), reshapes };
}

type Inputs = readonly (Operand | undefined)[];

function propagate(node: NodeMessage, [x, ...others]: Inputs): Operand | undefined {
  if (!isStandardDomain(node)) return undefined;
  if (node.opType === 'Constant') return constantNode(node);
  if (x === undefined || !areConstant(node, others)) return undefined;
  const shape = RULES.get(node.opType)?.(node, x.shape, others);
  return shape && { shape };
}

function reshape(node: NodeMessage, [x, lengths]: Inputs, batch: number) {
  if (!isStandard(node, 'Reshape') || intAttribute(node, 'allowzero', 0) !== 0) return undefined;
  const target = lengths?.constant && tensorValues(lengths.constant);
  const reshaped = x && target && reshapeExtents(x.shape, [...target], batch);
  const isChanged = reshaped?.target.some((length, axis) => length !== target?.[axis]);
  return reshaped && { ...reshaped, isChanged };
}

/**
 * Whether all inputs after the first are known. They must be constants, unless the operator may combine two computed
 * values.
 */
function areConstant(node: NodeMessage, others: Inputs): boolean {
  const joins = BROADCASTING.has(node.opType);
  return others.every((other, index) =>
    node.input[index + 1] === '' ? true : other && (joins || other.constant),
  );
}

function constantNode(node: NodeMessage): Operand | undefined {
  const value = node.attribute?.find(({ name }) => name === 'value')?.t;
  return value && constantOperand(value);
}

function constantOperand(constant: TensorMessage): Operand {
  return { shape: constant.dims, constant };
}
