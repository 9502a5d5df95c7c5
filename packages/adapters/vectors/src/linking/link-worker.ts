import { parentPort, workerData } from 'node:worker_threads';
import type { FacesToLink } from '@sightline/core/similarity/group-linker';
import { linkGroups } from '@sightline/core/similarity/link-groups';
import { lowerThreadPriority } from '@sightline/platform/process/lower-thread-priority';

/** The code of a thread that computes one tree. */
lowerThreadPriority();
const joinings = linkGroups(workerData as FacesToLink);
parentPort!.postMessage(joinings, [joinings.parts.buffer, joinings.cosines.buffer]);
