import { getImageContract } from '@sightline/contracts/images/get-image-contract';
import type { Stores } from '@sightline/core/database/database';
import { NotFound } from '@sightline/core/store/not-found';
import { presentDetection } from '@sightline/presentation/present-detection';
import { defineRoute } from '../../http/define-route.ts';
import { presentImage } from './list-images.ts';

export const getImageRoute = defineRoute(getImageContract, {
  async handler({ database }, { path, scope, signal }) {
    const read = (stores: Stores) => readImage(stores, path.id);
    const { source, detections } = await database.withScope(scope, read, signal);
    const ofType = (wanted: 'face' | 'object') =>
      detections.filter(({ type }) => type === wanted).map(presentDetection);
    return {
      status: 200,
      body: {
        ...presentImage({ ...source, detectionCount: detections.length }),
        faces: ofType('face'),
        objects: ofType('object'),
      },
    };
  },
});

/** @throws NotFound */
export async function readImage({ sources, detections }: Stores, id: number) {
  const source = await sources.byId(id);
  if (source === null) throw new NotFound('image', id);
  return { source, detections: await detections.ofSource(id) };
}
