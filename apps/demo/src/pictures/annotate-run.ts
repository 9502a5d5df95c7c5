import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Demo } from '../demo.ts';
import { annotate } from './annotate.ts';
import { type Finding, findings } from './finding.ts';
import type { Size } from './overlay.ts';

type Found = Parameters<typeof findings>[0];

/** An answer of the service about an image that it stored. */
export interface Run extends Found, Size {
  readonly source_image_url: string;
}

/**
 * The image as the service stored it (an upright JPEG, whatever the format of the upload) with boxes
 * and texts, as JPEG.
 */
export async function annotateRun(
  { service }: Demo,
  run: Run,
  found: readonly Finding[] = findings(run),
): Promise<Uint8Array> {
  const stored = await service.fetch(run.source_image_url);
  if (!stored.ok) throw new StartError(`The stored image was refused with ${stored.status}.`);
  const picture = new Uint8Array(await stored.arrayBuffer());
  return annotate(picture, run, found);
}
