import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Demo } from '../demo.ts';
import { annotate } from './annotate.ts';
import { type Finding, findings } from './finding.ts';
import type { Size } from './overlay.ts';

type Found = Parameters<typeof findings>[0];

/** The service's response to a detection request whose image was stored. */
export interface Run extends Found, Size {
  readonly source_image_url: string;
}

/**
 * Fetches the stored image, which is an upright JPEG for every upload format, and draws boxes and texts on it.
 *
 * @returns the annotated picture as JPEG
 */
export async function annotateRun(
  { service }: Demo,
  run: Run,
  found: readonly Finding[] = findings(run),
): Promise<Uint8Array> {
  const stored = await service.fetch(run.source_image_url);
  if (!stored.ok)
    throw new StartError(
      `Sightline did not return the stored image: it answered with status ${stored.status}.`,
    );
  const picture = new Uint8Array(await stored.arrayBuffer());
  return annotate(picture, run, found);
}
