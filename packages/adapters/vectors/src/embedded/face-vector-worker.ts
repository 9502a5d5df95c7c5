import { lowerPriority } from '../lower-priority.ts';
import './vector-worker.ts';

/** The code of a thread that searches in the background. */
lowerPriority();
