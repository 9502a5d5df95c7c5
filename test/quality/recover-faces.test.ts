import { expect, test } from '@jest/globals';
import type { QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import { NO_FACES, plus, recoverFaces } from './recover-faces.ts';

const face = (x: number, turned: QuarterTurn) => ({ bbox: { x, y: 0, w: 10, h: 10 }, turned });

test('faces at the same place are found, and others are missed or extra', () => {
  const upright = [face(0, 0), face(100, 0), face(200, 0)];
  const turned = [face(1, 90), face(102, 0), face(300, 90)];
  expect(recoverFaces(upright, turned, 90)).toEqual({
    faces: 3,
    found: 2,
    rightAngle: 1,
    extra: 1,
  });
});

test('a face that lies in the upright photo is turned further', () => {
  const recovered = { faces: 1, found: 1, extra: 0 };
  expect(recoverFaces([face(0, 270)], [face(0, 90)], 180)).toEqual({ ...recovered, rightAngle: 1 });
  expect(recoverFaces([face(0, 270)], [face(0, 180)], 180)).toEqual({
    ...recovered,
    rightAngle: 0,
  });
});

test('the faces of several photos are added', () => {
  const photo = { faces: 3, found: 2, rightAngle: 1, extra: 4 };
  expect(plus(NO_FACES, photo)).toEqual(photo);
  expect(plus(photo, photo)).toEqual({ faces: 6, found: 4, rightAngle: 2, extra: 8 });
});
