import type {
  AnalysisRequest,
  ImageAnalysis,
  RenditionOptions,
} from '@sightline/core/analysis/image-analyzer';

/** A request without the names of models that it does not ask: their processes may be elsewhere. */
export function namingOnlyAsked(request: AnalysisRequest): AnalysisRequest {
  const { models } = request;
  if (models === undefined) return request;
  const { face, object } = models;
  return {
    ...request,
    models: {
      ...(asksFaces(request) && face !== undefined && { face }),
      ...(asksObjects(request) && object !== undefined && { object }),
    },
  };
}

/** Requests for the tasks of a request whose models may be at different addresses. */
export interface RequestParts {
  readonly faces: AnalysisRequest;
  readonly objects: AnalysisRequest;
}

/** Null unless both tasks are asked of named models. The image of the whole, and its boxes, come with the faces. */
export function partsOf(request: AnalysisRequest): RequestParts | null {
  const { models = {}, objects, renditions, faces, faceRegions, ...shared } = request;
  const { face, object } = models;
  if (!asksFaces(request) || objects === undefined) return null;
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

/** What one process with both models would have answered. */
export function joined(faces: ImageAnalysis, objects: ImageAnalysis): ImageAnalysis {
  return { ...faces, objects: objects.objects };
}

function cropsOnly({ crops }: RenditionOptions): RenditionOptions {
  return { crops };
}

function asksFaces({ faces, faceRegions = [] }: AnalysisRequest): boolean {
  return faces !== undefined || faceRegions.length > 0;
}

function asksObjects({ objects }: AnalysisRequest): boolean {
  return objects !== undefined;
}
