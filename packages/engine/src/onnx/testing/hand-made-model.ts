import { modelType } from '../onnx-schema.ts';

/** The sizes of the dimensions. A string names a dynamic dimension. */
type Dims = readonly (number | string)[];

export interface HandMadeModel {
  readonly inputs: Readonly<Record<string, Dims>>;
  readonly outputs: Readonly<Record<string, Dims>>;
  readonly nodes?: readonly object[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** The element type of the inputs; default: 1 (float32). */
  readonly elementType?: number;
}

/** Makes an ONNX model that declares shapes but has no weights, for code that only reads models. */
export function handMadeModel(model: HandMadeModel): Uint8Array {
  return encodeFields({
    graph: {
      input: Object.entries(model.inputs).map(value(model.elementType ?? 1)),
      output: Object.entries(model.outputs).map(value(1)),
      node: model.nodes ?? [],
    },
    metadataProps: Object.entries(model.metadata ?? {}).map(([key, value]) => ({ key, value })),
  });
}

/** Encodes a model file with any fields of the ONNX schema, valid or not. */
export function encodeFields(fields: object): Uint8Array {
  return modelType.encode(modelType.fromObject({ irVersion: 8, ...fields })).finish();
}

function value(elemType: number) {
  return ([name, dims]: [string, Dims]) => ({
    name,
    type: {
      tensorType: {
        elemType,
        shape: {
          dim: dims.map((dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim })),
        },
      },
    },
  });
}
