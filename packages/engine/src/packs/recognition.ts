import type { FaceAttribute } from '@sightline/core/models/model';
import type { PackComponent } from './manifest.ts';

/** A component as far as its graph tells: all but which file it is. */
export type RecognisedComponent = Omit<PackComponent, 'file' | 'sha256'>;

/** A file plays a role, or there is a reason why not (a clause that follows the file's name). */
export type Recognition =
  | { readonly component: RecognisedComponent; readonly provides: readonly FaceAttribute[] }
  | { readonly component: null; readonly reason: string };
