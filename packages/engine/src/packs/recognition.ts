import type { FaceAttribute } from '@sightline/core/models/model';
import type { PackComponent } from './manifest.ts';

/** A component without its file. */
export type RecognizedComponent = Omit<PackComponent, 'file' | 'sha256'>;

/** A role, or the reason why the file has no role (a clause that follows the file's name). */
export type Recognition =
  | { readonly component: RecognizedComponent; readonly provides: readonly FaceAttribute[] }
  | { readonly component: null; readonly reason: string };
