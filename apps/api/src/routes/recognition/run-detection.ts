import { IMAGE } from '@sightline/contracts/recognition/image-source';
import type { Settle } from '@sightline/core/database/database';
import { detectImage } from '@sightline/core/recognition/detect-image';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import type { DetectionTypes } from '@sightline/core/detection-type';
import type { Scope } from '@sightline/core/store/scope';
import { presentDetectionRun } from '@sightline/presentation/present-detection-run';
import type { ApiContext } from '../../context/api-context.ts';
import type { RequestBody } from '../../http/define-route.ts';
import { imageReading } from '../../images/image-reading.ts';
import { findImageSource } from '../../images/read-image-source.ts';

/** The request of a detect endpoint. Only some of these endpoints take a label. */
interface DetectionRequest {
  readonly body: RequestBody<{
    readonly external_ref?: string | undefined;
    readonly replace?: boolean | undefined;
    readonly label?: string | undefined;
  }>;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  settle(present: typeof answerWith): Settle<ImageResult> | undefined;
}

/** Detects faces, objects or both in the image of a request, and stores them. */
export async function runDetection(
  context: ApiContext,
  request: DetectionRequest,
  types: DetectionTypes,
) {
  const { body, scope, signal } = request;
  const { external_ref: externalRef, replace = false, label } = body.fields;
  const image = await findImageSource(imageReading(context, scope), body, IMAGE)(signal);
  const run = await detectImage(
    context,
    { scope, image, types, externalRef, replace, label },
    { signal, settle: request.settle(answerWith) },
  );
  return answerWith(run);
}

function answerWith(run: ImageResult) {
  return { status: 200, body: presentDetectionRun(run) } as const;
}
