import type { AnalyzedFace } from '@sightline/core/analysis/image-analyzer';
import { analyzedFace } from '@sightline/core/analysis/testing/fake-analyzer';

/** Eyes, nose and corners of the mouth as they lie in the box of {@link analyzedFace}. */
const LANDMARKS = [
  { x: 18, y: 33 },
  { x: 32, y: 33 },
  { x: 25, y: 42 },
  { x: 19, y: 50 },
  { x: 31, y: 50 },
];

/** A face whose embedding points in the given direction. The similarity of two faces is the cosine of their angle. */
export function faceAt(degrees: number, changes: Partial<AnalyzedFace> = {}): AnalyzedFace {
  const radians = (degrees * Math.PI) / 180;
  const embedding = Float32Array.of(Math.cos(radians), Math.sin(radians));
  return analyzedFace({ embedding, quality: 0.95, landmarks: LANDMARKS, ...changes });
}

/** A photo whose bytes are a text, which the fake analyzer reads. */
export function photo(text: string): File {
  return new File([text], `${text}.jpg`);
}

/** A face for each number of a text: the direction of its embedding in degrees. The faces are beside each other. */
export function facesInRow(text: string): readonly AnalyzedFace[] {
  return text
    .split(' ')
    .map((degrees, i) => faceAt(Number(degrees), { bbox: { x: 50 * i, y: 0, w: 20, h: 20 } }));
}

/** One face for a text that starts with a number: the direction of its embedding in degrees. */
export function oneFace(text: string): readonly AnalyzedFace[] {
  const degrees = Number.parseFloat(text);
  return Number.isNaN(degrees) ? [] : [faceAt(degrees)];
}
