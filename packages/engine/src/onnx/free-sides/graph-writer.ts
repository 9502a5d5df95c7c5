import type { GraphMessage, NodeMessage, TensorMessage, ValueMessage } from '../model-proto.ts';
import { int64Tensor } from '../tensor-values.ts';
import {
  type Atom,
  atomLength,
  type Extent,
  fixedLength,
  fullLength,
  type FullSize,
  isVariable,
  type Shape,
  type Side,
  sideOf,
} from './extents.ts';
import type { Operand, Outcome } from './operand.ts';

/** The axes of an image's sides. */
const AXES = { height: 2, width: 3 } as const;

/** Writes the nodes of a graph again, so that they work for any size of the graph's input. */
export class GraphWriter {
  readonly #graph: GraphMessage;
  readonly #full: FullSize;
  readonly #nodes: NodeMessage[] = [];
  readonly #constants: TensorMessage[] = [];
  readonly #taken: Set<string>;
  /** The names of values that several nodes share, by what they are. */
  readonly #shared = new Map<string, string>();

  constructor(graph: GraphMessage, full: FullSize) {
    this.#graph = graph;
    this.#full = full;
    this.#taken = new Set([...graph.initializer, ...graph.input].map(({ name = '' }) => name));
    for (const name of graph.node.flatMap(({ output }) => output)) this.#taken.add(name);
  }

  copy(node: NodeMessage): void {
    this.#nodes.push(node);
  }

  write(node: NodeMessage, inputs: readonly (Operand | undefined)[], outcome: Outcome): void {
    let { input } = node;
    for (const [index, shape] of outcome.cuts ?? []) {
      input = input.with(index, this.#cut(input[index]!, inputs[index]!.shape, shape));
    }
    const [shape] = outcome.shapes;
    if (node.opType === 'Reshape' && shape!.some(isVariable)) {
      input = input.with(1, this.#target(shape!));
    }
    this.#nodes.push({ ...node, input });
  }

  /** @param outputs the shapes of the graph's outputs */
  finish(outputs: readonly Shape[]): GraphMessage {
    const graph = this.#graph;
    return {
      ...graph,
      node: this.#nodes,
      initializer: [...graph.initializer, ...this.#constants],
      input: graph.input.map((value) => withFreeDims(value, Object.values(AXES))),
      output: graph.output.map((value, index) => {
        const free = outputs[index]!.flatMap((extent, axis) => (isVariable(extent) ? [axis] : []));
        return withFreeDims(value, free);
      }),
      // The declared intermediate shapes apply to the full size only. onnxruntime infers them again.
      valueInfo: [],
    };
  }

  /** Cuts a constant to the upper left corner of each grid that it has values for. */
  #cut(name: string, whole: Shape, shape: Shape): string {
    return this.#once(`${name}:${JSON.stringify(shape)}`, () => {
      const axis = shape.findIndex((extent) => extent.length > 1);
      if (axis === -1) return this.#cutGrid(name, whole, shape);
      let start = 0;
      const grids = shape[axis]!.map((part) => {
        const length = fullLength([part], this.#full);
        const range = {
          axis,
          start: this.#integers([start]),
          end: this.#integers([start + length]),
        };
        start += length;
        const piece = whole.with(axis, [[length]]);
        return this.#cutGrid(this.#slice(name, range), piece, shape.with(axis, [part]));
      });
      return this.#add('Concat', grids, [{ name: 'axis', type: 2, i: axis }]);
    });
  }

  /** Cuts a constant whose dimensions are single parts. */
  #cutGrid(name: string, whole: Shape, shape: Shape): string {
    const atoms = shape.flatMap((extent) => extent[0]!);
    const isSplit = atoms.length !== whole.length;
    const lengths = atoms.map((atom) => atomLength(atom, this.#full));
    let cut = isSplit ? this.#add('Reshape', [name, this.#integers(lengths)]) : name;
    for (const [axis, atom] of atoms.entries()) {
      if (typeof atom === 'number') continue;
      cut = this.#slice(cut, { axis, start: this.#integers([0]), end: this.#length(atom) });
    }
    return isSplit ? this.#add('Reshape', [cut, this.#target(shape)]) : cut;
  }

  #slice(
    name: string,
    { axis, start, end }: { readonly axis: number; readonly start: string; readonly end: string },
  ): string {
    return this.#add('Slice', [name, start, end, this.#integers([axis])]);
  }

  /** A target for Reshape. One length can be inferred; further ones are computed. */
  #target(shape: Shape): string {
    const inferred = this.#inferredAxis(shape);
    const isFixed = shape.every((extent, axis) => axis === inferred || !isVariable(extent));
    if (isFixed) return this.#integers(shape.map((extent) => fixedLength(extent) ?? -1));
    return this.#once(`target:${JSON.stringify(shape)}`, () => {
      const lengths = shape.map((extent, axis) =>
        axis === inferred ? this.#integers([-1]) : this.#extentLength(extent),
      );
      return this.#add('Concat', lengths, [{ name: 'axis', type: 2, i: 0 }]);
    });
  }

  /** The axis whose length onnxruntime infers: one that is not a single side, if any. */
  #inferredAxis(shape: Shape): number {
    const compound = shape.findIndex((extent) => extent.length > 1 || extent[0]!.length > 1);
    return compound === -1 ? shape.findIndex(isVariable) : compound;
  }

  /** A list with the length of a dimension. */
  #extentLength(extent: Extent): string {
    const parts = extent.map((part) =>
      part.map((atom) => this.#length(atom)).reduce((a, b) => this.#add('Mul', [a, b])),
    );
    return parts.reduce((a, b) => this.#add('Add', [a, b]));
  }

  #length(atom: Atom): string {
    return typeof atom === 'number' ? this.#integers([atom]) : this.#sideLength(atom);
  }

  #sideLength(atom: Side): string {
    return this.#once(`length:${atom}`, () => {
      const { side, stride } = sideOf(atom);
      const shape = this.#once('shape', () => this.#add('Shape', [this.#graph.input[0]!.name]));
      const length = this.#add('Gather', [shape, this.#integers([AXES[side]])]);
      return this.#add('Div', [length, this.#integers([stride])]);
    });
  }

  #integers(values: readonly number[]): string {
    return this.#once(`integers:${values.join(',')}`, () => {
      const name = this.#newName(`integers:${values.join(',')}`);
      this.#constants.push(int64Tensor(name, values));
      return name;
    });
  }

  #add(opType: string, input: string[], attribute: NodeMessage['attribute'] = []): string {
    const name = this.#newName(`free:${this.#nodes.length}`);
    this.#nodes.push({ opType, input, output: [name], attribute });
    return name;
  }

  #once(key: string, make: () => string): string {
    const name = this.#shared.get(key) ?? make();
    this.#shared.set(key, name);
    return name;
  }

  #newName(wanted: string): string {
    let name = wanted;
    while (this.#taken.has(name)) name += "'";
    this.#taken.add(name);
    return name;
  }
}

function withFreeDims(value: ValueMessage, axes: readonly number[]): ValueMessage {
  const tensorType = value.type?.tensorType;
  const dims = tensorType?.shape?.dim;
  if (tensorType === undefined || dims === undefined) return value;
  const dim = dims.map((dimension, axis) => (axes.includes(axis) ? {} : dimension));
  return { ...value, type: { ...value.type, tensorType: { ...tensorType, shape: { dim } } } };
}
