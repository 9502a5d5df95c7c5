import {
  type AttributeMessage,
  encodeModel,
  type NodeMessage,
  type TensorMessage,
  type ValueMessage,
} from '@sightline/engine/onnx/model-proto';
import { elementTypes, floatTensor, int64Tensor } from '@sightline/engine/onnx/tensor-values';
import { channelsFirst } from './channels-first.ts';
import type { Activation, Length } from './value.ts';

/** The opset is 18, because Resize has an `axes` attribute since then. */
const OPSET = 18;
/** The IR version that belongs to the opset. */
const IR_VERSION = 8;

/** The value of an attribute: an integer, a list of integers, or a string. */
export type AttributeValue = number | readonly number[] | string;

/** Collects the nodes and initializers of an ONNX graph in topological order. */
export class OnnxGraphWriter {
  readonly #inputs: ValueMessage[] = [];
  readonly #nodes: NodeMessage[] = [];
  readonly #initializers: TensorMessage[] = [];

  /**
   * Declares an input of the graph.
   *
   * @param dims the lengths of the axes in ONNX order
   */
  input(name: string, dims: readonly Length[]): void {
    this.#inputs.push(valueMessage(name, dims));
  }

  /**
   * Adds a node with one output, which has the name of the node.
   *
   * @param inputs the names of the inputs; '' for an omitted input
   */
  node(
    name: string,
    operation: {
      readonly opType: string;
      readonly inputs: readonly string[];
      readonly attributes?: Readonly<Record<string, AttributeValue>>;
    },
  ): string {
    const { opType, inputs, attributes = {} } = operation;
    const attribute = Object.entries(attributes).map(([key, value]) =>
      attributeMessage(key, value),
    );
    this.#nodes.push({ name, opType, input: [...inputs], output: [name], attribute });
    return name;
  }

  /** Adds a float32 constant. @returns the name */
  floats(name: string, dims: readonly number[], data: ArrayLike<number>): string {
    this.#initializers.push(floatTensor(name, dims, data));
    return name;
  }

  /** Adds a list of int64 values. @returns the name */
  integers(name: string, values: readonly number[]): string {
    this.#initializers.push(int64Tensor(name, values));
    return name;
  }

  /**
   * Encodes the model, without nodes on which no output depends.
   *
   * @param outputs the outputs of the model, in order
   */
  encode(outputs: readonly Activation[]): Uint8Array {
    const needed = new Set(outputs.map(({ name }) => name));
    const node = this.#nodes
      .toReversed()
      .filter(({ input, output }) => {
        if (!needed.has(output[0]!)) return false;
        for (const name of input) needed.add(name);
        return true;
      })
      .toReversed();
    return encodeModel({
      irVersion: IR_VERSION,
      opsetImport: [{ domain: '', version: OPSET }],
      producerName: 'sightline',
      graph: {
        name: 'graph-model',
        node,
        initializer: this.#initializers.filter(({ name }) => needed.has(name!)),
        input: this.#inputs,
        output: outputs.map(({ name, shape }) => valueMessage(name, channelsFirst(shape))),
      },
    });
  }
}

function valueMessage(name: string, dims: readonly Length[]): ValueMessage {
  const dim = dims.map((length) =>
    length === null ? { dimParam: 'batch' } : { dimValue: length },
  );
  return { name, type: { tensorType: { elemType: elementTypes.float32, shape: { dim } } } };
}

function attributeMessage(name: string, value: AttributeValue): AttributeMessage {
  if (typeof value === 'number') return { name, type: 2, i: value };
  if (typeof value === 'string') return { name, type: 3, s: new TextEncoder().encode(value) };
  return { name, type: 7, ints: [...value] };
}
