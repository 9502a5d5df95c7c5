import { modelType } from '../onnx-schema.ts';

/** A dimension is a number, or the name of a dynamic one. */
type Dims = readonly (number | string)[];

export interface HandMadeModel {
  readonly inputs: Readonly<Record<string, Dims>>;
  readonly outputs: Readonly<Record<string, Dims>>;
  readonly nodes?: readonly object[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** Of the inputs; 1, float32, unless given. */
  readonly elementType?: number;
}

/** The bytes of an ONNX model that has a shape but no weights: enough for whoever only reads it. */
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

/** A model file of any fields of the ONNX schema, whether they make sense together or not. */
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
