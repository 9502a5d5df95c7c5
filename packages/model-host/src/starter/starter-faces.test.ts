import { expect, test } from '@jest/globals';
import { calibrateSimilarity } from '@sightline/core/matching/calibrate-similarity';
import { STARTER_FACES } from './starter-faces.ts';

const similarityOf = (cosine: number) =>
  calibrateSimilarity(cosine, STARTER_FACES.manifest.similarity_calibration!);

test('the default match threshold is where hardly any stranger among hundreds passes', () => {
  // With the threshold at a cosine of 0.385, one in seven of 400 strangers was taken for one of 396 enrolled people.
  // With 0.46, only three strangers were.
  expect(similarityOf(0.385)).toBeLessThan(0.5);
  expect(similarityOf(0.459)).toBeLessThan(0.5);
  expect(similarityOf(0.46)).toBe(0.5);
});

test('no two people of the photos in the model card are confirmed without review', () => {
  const mostSimilarPeople = 0.465;
  expect(similarityOf(mostSimilarPeople)).toBeLessThan(0.6);
  expect(similarityOf(0.599)).toBeLessThan(0.8);
});

test('a face whose lower half is covered is not enrolled automatically', () => {
  const highestScore = 0.908;
  const { quality_calibration: calibration } = STARTER_FACES.manifest;
  expect(calibrateSimilarity(highestScore, calibration!)).toBeLessThan(0.7);
});
