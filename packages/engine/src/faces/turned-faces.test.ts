import { expect, test } from '@jest/globals';
import { CloseUps } from './close-ups.ts';
import { findTurnedFaces } from './turned-faces.ts';
import { detectorOf, landmarksIn, portrait } from './testing/turned-portrait.ts';

const BOX = { x1: 70, y1: 65, x2: 130, y2: 135 };
const candidate = { box: BOX, score: 0.3, landmarks: landmarksIn(BOX) };

async function find(degrees: number, beside = BOX) {
  const detector = detectorOf();
  const closeUps = new CloseUps(detector, portrait(degrees));
  const faces = [{ box: beside, score: 0.95, landmarks: landmarksIn(beside) }];
  return findTurnedFaces(closeUps, { faces, candidates: [candidate, candidate] });
}

test('a turned face is found once, with the upright box around it', async () => {
  const found = await find(90, { x1: 0, y1: 0, x2: 20, y2: 20 });
  expect(found).toHaveLength(1);
  const { x1, y1, x2, y2 } = found[0]!.box;
  // The box in the close-up is 0.6 of its side wide and 2/3 high, and the close-up covers 105 pixels.
  expect([x2 - x1, y2 - y1].map(Math.round)).toEqual([70, 63]);
  expect([(x1 + x2) / 2, (y1 + y2) / 2].map(Math.round)).toEqual([100, 100]);
});

test('a turned face that has been detected is not found again', async () => {
  expect(await find(90)).toEqual([]);
  expect(await find(90, { x1: 20, y1: 20, x2: 180, y2: 180 })).toEqual([]);
});
