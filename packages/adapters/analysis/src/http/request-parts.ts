import type {
  AnalysisRequest,
  ImageAnalysis,
  RenditionOptions,
} from '@sightline/core/analysis/image-analyzer';

/** Removes the names of models that the request does not need, because a process with all named models may not exist. */
export function withoutUnusedModels(request: AnalysisRequest): AnalysisRequest {
  const { models } = request;
  if (models === undefined) return request;
  const { face, object } = models;
  return {
    ...request,
    models: {
      ...(needsFaces(request) && face !== undefined && { face }),
      ...(needsObjects(request) && object !== undefined && { object }),
    },
  };
}

/** The two parts of a request, whose models may be at different addresses. */
export interface RequestParts {
  readonly faces: AnalysisRequest;
  readonly objects: AnalysisRequest;
}

/**
 * Splits a request into a part for faces and a part for objects. Returns null unless the request needs both tasks and
 * names a model for each. Only the part for faces requests the rendition of the whole image, because one is enough.
 */
export function partsOf(request: AnalysisRequest): RequestParts | null {
  const { models = {}, objects, renditions, faces, faceRegions, ...shared } = request;
  const { face, object } = models;
  if (!needsFaces(request) || objects === undefined) return null;
  if (face === undefined || object === undefined) return null;
  return {
    faces: {
      ...shared,
      models: { face },
      ...(faces && { faces }),
      ...(faceRegions && { faceRegions }),
      ...(renditions && { renditions }),
    },
    objects: {
      ...shared,
      models: { object },
      objects,
      ...(renditions && { renditions: cropsOnly(renditions) }),
    },
  };
}

/** Joins the answers to both parts. The result is the answer that one process with both models would give. */
export function joined(faces: ImageAnalysis, objects: ImageAnalysis): ImageAnalysis {
  return { ...faces, objects: objects.objects };
}

function cropsOnly({ crops }: RenditionOptions): RenditionOptions {
  return { crops };
}

function needsFaces({ faces, faceRegions = [] }: AnalysisRequest): boolean {
  return faces !== undefined || faceRegions.length > 0;
}

function needsObjects({ objects }: AnalysisRequest): boolean {
  return objects !== undefined;
}
