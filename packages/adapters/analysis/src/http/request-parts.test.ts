import { expect, test } from '@jest/globals';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { withoutUnusedModels, partsOf } from './request-parts.ts';

const image = Uint8Array.of(1);
const models = { face: 'f', object: 'o' };
const faces = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: false,
  fullFramePass: false,
  upright: false,
};
const objects = { confidenceThreshold: 0.25, classFilter: [] };
const faceRegions = [{ bbox: { x: 0, y: 0, w: 1, h: 1 }, landmarks: null }];
const crops = { padding: 0.1, quality: 75 };

test.each<[string, Partial<AnalysisRequest>, AnalysisRequest['models']]>([
  ['faces', { faces }, { face: 'f' }],
  ['faces at known places', { faceRegions }, { face: 'f' }],
  ['objects', { objects }, { object: 'o' }],
  ['both', { faces, objects }, models],
  ['neither', { faceRegions: [] }, {}],
])('a request for %s names the models of these tasks', (_, asked, expected) => {
  expect(withoutUnusedModels({ image, models, ...asked })).toEqual({
    image,
    ...asked,
    models: expected,
  });
});

test('a request that names no models names none', () => {
  const request = { image, faces, objects };
  expect(withoutUnusedModels(request)).toBe(request);
  expect(partsOf(request)).toBeNull();
});

test('a request for both tasks has two parts; the image and the boxes come with the faces', () => {
  const renditions = { crops, source: { maxSize: 9, quality: 80 }, boxes: [faceRegions[0]!.bbox] };
  const tenant = { environment: '1', caller: '2', lane: 'interactive' as const };
  const shared = { image, tenant };
  expect(partsOf({ ...shared, models, faces, faceRegions, objects, renditions })).toEqual({
    faces: { ...shared, models: { face: 'f' }, faces, faceRegions, renditions },
    objects: { ...shared, models: { object: 'o' }, objects, renditions: { crops } },
  });
});
