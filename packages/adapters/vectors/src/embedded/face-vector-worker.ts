import { lowerThreadPriority } from '@sightline/platform/process/lower-thread-priority';
import './vector-worker.ts';

/** The code of a thread that searches in the background. */
lowerThreadPriority();
