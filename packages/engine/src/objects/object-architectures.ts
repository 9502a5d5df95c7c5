import type { Size } from '../math/resize-bilinear.ts';
import type { FloatTensor } from '../onnx/session.ts';
import { decodeCenternet } from './centernet-head.ts';
import { fitCentred, fitCorner, type FitPicture, fitStretched } from './fitted-picture.ts';
import type { ObjectCandidate } from './object-candidate.ts';
import { decodeYoloV5 } from './yolo-v5-head.ts';
import { decodeYoloV8 } from './yolo-v8-head.ts';
import { decodeYolox } from './yolox-head.ts';

export interface DecodeOptions {
  /** A score has to be above it, 0..1. */
  readonly threshold: number;
  /** Of the net's input in pixels. */
  readonly size: Size;
}

/** What sets a family of object detectors apart from others. */
export interface ObjectArchitecture {
  readonly fit: FitPicture;
  /** How many classes the outputs tell apart. */
  readonly classCount: (outputs: readonly FloatTensor[]) => number;
  /**
   * @param outputs in the order of the graph
   * @returns candidates in pixels of the input, overlapping ones too
   * @throws RangeError if the outputs are not those of such a net
   */
  readonly decode: (outputs: readonly FloatTensor[], options: DecodeOptions) => ObjectCandidate[];
}

type Outputs = readonly FloatTensor[];

/** The first output: others, as some exports of YOLOv5 have, repeat it before decoding. */
const YOLO_V5: ObjectArchitecture = {
  fit: fitCentred,
  classCount: ([rows]: Outputs) => rows!.dims[2]! - 5,
  decode: ([rows]: Outputs, { threshold }) => decodeYoloV5(rows!, threshold),
};

const YOLO_V8: ObjectArchitecture = {
  fit: fitCentred,
  classCount: ([columns]: Outputs) => columns!.dims[1]! - 4,
  decode: ([columns]: Outputs, { threshold }) => decodeYoloV8(columns!, threshold),
};

/** A net that decodes its boxes itself answers the rows of YOLOv5. */
const YOLOX_DECODED: ObjectArchitecture = { ...YOLO_V5, fit: fitCorner };

const YOLOX: ObjectArchitecture = {
  ...YOLOX_DECODED,
  decode: ([rows]: Outputs, options) => decodeYolox(rows!, options),
};

/**
 * Scores first, then edges. Its maxima are no substitute for suppression: below scores of 0.3 a
 * large object has several of them, with boxes that all but coincide (IoU over 0.9).
 */
const CENTERNET: ObjectArchitecture = {
  fit: fitStretched,
  classCount: ([scores]: Outputs) => scores!.dims[1]!,
  decode([scores, edges]: Outputs, options) {
    if (edges === undefined) throw new RangeError('A CenterNet head has two outputs.');
    return decodeCenternet({ scores: scores!, edges }, options);
  },
};

/** By the names that manifests use. */
export const OBJECT_ARCHITECTURES = {
  yolov5: YOLO_V5,
  yolov8: YOLO_V8,
  yolov11: YOLO_V8,
  yolox: YOLOX,
  yolox_decoded: YOLOX_DECODED,
  centernet: CENTERNET,
} as const satisfies Record<string, ObjectArchitecture>;
