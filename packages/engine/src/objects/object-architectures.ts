import type { FitImage } from '../math/letterbox.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { FloatTensor } from '../onnx/session.ts';
import { decodeCenternet } from './centernet-head.ts';
import { fitCentered, fitCorner, fitStretched } from './fit-image.ts';
import type { ObjectCandidate } from './object-candidate.ts';
import { decodeYoloV5 } from './yolo-v5-head.ts';
import { decodeYoloV8 } from './yolo-v8-head.ts';
import { decodeYolox } from './yolox-head.ts';

export interface DecodeOptions {
  /** The value, 0..1, that scores must exceed. */
  readonly threshold: number;
  /** The size of the network's input in pixels. */
  readonly size: Size;
}

export interface ObjectArchitecture {
  readonly fit: FitImage;
  /** Returns the number of classes, which the shapes of the outputs determine. */
  readonly classCount: (outputs: readonly FloatTensor[]) => number;
  /**
   * @param outputs outputs in the order of the graph
   * @returns candidates in pixels of the input, before suppression
   * @throws RangeError if the outputs do not fit this architecture
   */
  readonly decode: (outputs: readonly FloatTensor[], options: DecodeOptions) => ObjectCandidate[];
}

type Outputs = readonly FloatTensor[];

/**
 * Only the first output is decoded, because some exports of YOLOv5 repeat it, undecoded, in further
 * outputs.
 */
const YOLO_V5: ObjectArchitecture = {
  fit: fitCentered,
  classCount: ([rows]: Outputs) => rows!.dims[2]! - 5,
  decode: ([rows]: Outputs, { threshold }) => decodeYoloV5(rows!, threshold),
};

const YOLO_V8: ObjectArchitecture = {
  fit: fitCentered,
  classCount: ([columns]: Outputs) => columns!.dims[1]! - 4,
  decode: ([columns]: Outputs, { threshold }) => decodeYoloV8(columns!, threshold),
};

/** A YOLOX network that decodes its boxes itself has the output rows of YOLOv5. */
const YOLOX_DECODED: ObjectArchitecture = { ...YOLO_V5, fit: fitCorner };

const YOLOX: ObjectArchitecture = {
  ...YOLOX_DECODED,
  decode: ([rows]: Outputs, options) => decodeYolox(rows!, options),
};

/**
 * The outputs are scores, then edges. The network still needs suppression, because at scores below
 * 0.3 a large object has several peaks with nearly identical boxes (IoU over 0.9).
 */
const CENTERNET: ObjectArchitecture = {
  fit: fitStretched,
  classCount: ([scores]: Outputs) => scores!.dims[1]!,
  decode([scores, edges]: Outputs, options) {
    if (edges === undefined)
      throw new RangeError(
        'A CenterNet head needs two outputs, scores and edges; the network has one.',
      );
    return decodeCenternet({ scores: scores!, edges }, options);
  },
};

export const OBJECT_ARCHITECTURES = {
  yolov5: YOLO_V5,
  yolov8: YOLO_V8,
  yolov11: YOLO_V8,
  yolox: YOLOX,
  yolox_decoded: YOLOX_DECODED,
  centernet: CENTERNET,
} as const satisfies Record<string, ObjectArchitecture>;
