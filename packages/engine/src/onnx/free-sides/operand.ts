import type { NodeMessage, TensorMessage } from '../model-proto.ts';
import type { FullSize, Shape } from './extents.ts';

/** An input of a node. */
export interface Operand {
  readonly shape: Shape;
  /** The value; absent unless the input is a constant. */
  readonly constant?: TensorMessage;
}

export interface Step {
  readonly node: NodeMessage;
  /** The inputs of the node; undefined for an omitted one. */
  readonly inputs: readonly (Operand | undefined)[];
  readonly opset: number;
  readonly full: FullSize;
}

export interface Outcome {
  /** The shapes of the node's outputs. */
  readonly shapes: readonly Shape[];
  /** The constant inputs that hold a value for each cell and have to be cut to the grid, with their new shapes. */
  readonly cuts?: ReadonlyMap<number, Shape>;
}

/** Derives the outputs of a node. Returns undefined if the node may not work for another size of the graph's input. */
export type Rule = (step: Step) => Outcome | undefined;
