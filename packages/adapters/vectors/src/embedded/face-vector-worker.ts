import { lowerPriority } from '@sightline/platform/process/lower-priority';
import './vector-worker.ts';

/** The code of a thread that searches in the background. */
lowerPriority();
