import type { FollowedFace, OpenFaceSource } from '@sightline/core/groups/followed-faces';
import type { BinaryRow } from '../../doors/copy-out.ts';
import type { Doors } from '../../doors/doors.ts';
import { toVector } from '../references/vector-bytes.ts';
import { openFacesQuery } from './followed-face-queries.ts';

export function openFaceSource(doors: Doors): OpenFaceSource {
  return {
    async page({ environmentId, modelId }, page, signal) {
      const query = openFacesQuery({ environmentId, modelId, ...page });
      return (await doors.copyFromPlatform('similarity', query, signal)).map(toFace);
    },
  };
}

function toFace([id, confidence, identityId, fingerprint, vector]: BinaryRow): FollowedFace {
  return {
    id: Number(id!.readBigInt64BE()),
    confidence: confidence!.readDoubleBE(),
    isOpen: true,
    isStranger: identityId === null,
    fingerprint: Number(fingerprint!.readBigInt64BE()),
    vector: toVector(vector!),
  };
}
