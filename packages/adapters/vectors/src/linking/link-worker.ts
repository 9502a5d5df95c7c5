import { parentPort, workerData } from 'node:worker_threads';
import type { FacesToLink, PackedJoinings } from '@sightline/core/similarity/group-linker';
import { linkGroups } from '@sightline/core/similarity/link-groups';

/** The code of a thread that computes one tree. */
const { vectors, faces, ends, targets } = workerData as FacesToLink;
const dimension = faces === 0 ? 0 : vectors.length / faces;
const { joinings } = linkGroups({
  vectors: Array.from({ length: faces }, (_, face) =>
    vectors.subarray(face * dimension, (face + 1) * dimension),
  ),
  neighbors: Array.from({ length: faces }, (_, face) =>
    targets.subarray(face === 0 ? 0 : ends[face - 1], ends[face]),
  ),
});
const packed: PackedJoinings = {
  parts: Int32Array.from(joinings.flatMap(({ left, right }) => [left, right])),
  cosines: Float64Array.from(joinings, ({ cosine }) => cosine),
};
parentPort!.postMessage(packed);
