import { COCO_CLASSES } from '@sightline/core/models/coco-classes';
import type { Size } from '../math/resize-bilinear.ts';
import type { OnnxGraph, OnnxModel } from '../onnx/onnx-model.ts';
import type { Architecture, PackComponent } from './manifest.ts';
import type { Recognition } from './recognition.ts';
import { readUltralyticsMetadata, type UltralyticsMetadata } from './ultralytics-metadata.ts';

/** The side of the input in pixels if neither the graph nor its metadata declares a side. */
const DEFAULT_SIDE = 640;

/**
 * Recognizes YOLOv5, v8 and v11 and YOLOX detectors; returns null for anything else. The shape of
 * the first output determines the head: [1, 4 + classes, cells] is v8 or v11, [1, 3 * cells, 5 +
 * classes] is v5 and [1, cells, 5 + classes] is YOLOX. A cell covers 8, 16 or 32 pixels squared.
 * With the metadata of ultralytics, other or dynamic numbers of cells and anchors are accepted.
 */
export function recognizeObjectRole(model: OnnxModel): Recognition | null {
  const metadata = readUltralyticsMetadata(model.metadata);
  const input = inputSize(model.graph, metadata);
  if (input === null) return null;
  const unsupported = metadata === null ? null : unsupportedReason(metadata);
  if (unsupported !== null) return { component: null, reason: unsupported };
  const head = recognizeHead(model.graph, input, metadata);
  if (head === null) return null;
  const classes = metadata?.classes ?? (head.classCount === 80 ? COCO_CLASSES : []);
  if (classes.length !== head.classCount) {
    return { component: null, reason: `has ${head.classCount} classes but not their names` };
  }
  const { architecture } = head;
  const spec = { role: 'ObjectDetector', architecture, input, classes } as const;
  return { component: { ...spec, ...preprocessing(architecture) }, provides: [] };
}

/** Returns null unless the only input is an image of three channels. */
function inputSize({ inputs }: OnnxGraph, metadata: UltralyticsMetadata | null): Size | null {
  const dims = inputs[0]?.dims;
  if (inputs.length !== 1 || dims?.length !== 4 || dims[1] !== 3) return null;
  const [height, width] = metadata?.imageSize ?? [DEFAULT_SIDE, DEFAULT_SIDE];
  return { height: dims[2] ?? height, width: dims[3] ?? width };
}

function unsupportedReason({ task, endToEnd }: UltralyticsMetadata): string | null {
  if (task !== null && task !== 'detect') return `is a model for the task ${JSON.stringify(task)}`;
  return endToEnd ? 'applies non-maximum suppression itself, which is not supported' : null;
}

interface Head {
  readonly architecture: Architecture;
  readonly classCount: number;
}

interface OutputShape {
  readonly rows: number | null;
  readonly columns: number | null;
  readonly cells: number;
}

function recognizeHead(
  graph: OnnxGraph,
  size: Size,
  metadata: UltralyticsMetadata | null,
): Head | null {
  const dims = graph.outputs[0]?.dims;
  if (dims?.length !== 3) return null;
  const [, rows = null, columns = null] = dims;
  const shape = { rows, columns, cells: cellCount(size) };
  return columnHead(shape, metadata) ?? rowHead(graph, shape, metadata);
}

/** Recognizes heads with one column per cell. */
function columnHead(
  { rows, columns, cells }: OutputShape,
  metadata: UltralyticsMetadata | null,
): Head | null {
  if (rows === null || rows <= 4) return null;
  const ultralytics = metadata !== null && columns !== null && rows < columns;
  const fits = (columns ?? cells) === cells && rows < cells;
  if (!ultralytics && !fits) return null;
  return { architecture: isVersion11(metadata) ? 'yolov11' : 'yolov8', classCount: rows - 4 };
}

/** Recognizes heads with one row per cell, or per cell and anchor. */
function rowHead(
  graph: OnnxGraph,
  { rows, columns, cells }: OutputShape,
  metadata: UltralyticsMetadata | null,
): Head | null {
  const classCount = (columns ?? 0) - 5;
  if (classCount < 1) return null;
  if (metadata !== null || rows === 3 * cells) return { architecture: 'yolov5', classCount };
  return rows === cells ? { architecture: yoloxArchitecture(graph), classCount } : null;
}

function isVersion11(metadata: UltralyticsMetadata | null): boolean {
  return /YOLOv?11/i.test(metadata?.description ?? '');
}

function cellCount({ width, height }: Size): number {
  return [8, 16, 32]
    .map((stride) => Math.ceil(width / stride) * Math.ceil(height / stride))
    .reduce((sum, cells) => sum + cells, 0);
}

/**
 * Returns the architecture by the graph's last node. A graph of YOLOX ends with a Transpose of its
 * raw heads, unless it applies grids and strides.
 */
function yoloxArchitecture({ nodes, outputs }: OnnxGraph): Architecture {
  const last = nodes.find((node) => node.outputs.includes(outputs[0]!.name));
  return last?.opType === 'Transpose' ? 'yolox' : 'yolox_decoded';
}

function preprocessing(
  architecture: Architecture,
): Pick<PackComponent, 'mean' | 'std' | 'color_order'> {
  return architecture === 'yolox' || architecture === 'yolox_decoded'
    ? { mean: [0, 0, 0], std: [1, 1, 1], color_order: 'bgr' }
    : { mean: [0, 0, 0], std: [255, 255, 255], color_order: 'rgb' };
}
