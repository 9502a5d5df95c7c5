import type { AnalyzerStatus, NamedModels } from '../models/analyzer-status.ts';
import type { AnalysisRequest, ImageAnalysis, ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { Tenant } from '../analysis/tenant.ts';
import type { ActiveModel } from '../models/model.ts';
import { ModelNotHere } from '../models/model-errors.ts';
import { type ModelRegistry, namesOf } from '../models/model-registry.ts';
import { slotOf } from '../models/model-slot.ts';
import type { RegisteredModel } from '../models/model-store.ts';

/**
 * An analyzer that adds the names of the active models to every request without names, so that a request is never
 * served by an unexpected model. If no process has loaded an active model, the request names the previous model
 * instead, for a minute after the switch.
 */
export class NamingAnalyzer implements ImageAnalyzer {
  readonly #analyzer: ImageAnalyzer;
  readonly #models: Pick<ModelRegistry, 'roles' | 'forget'>;

  constructor(analyzer: ImageAnalyzer, models: Pick<ModelRegistry, 'roles' | 'forget'>) {
    this.#analyzer = analyzer;
    this.#models = models;
  }

  /** Lists the active models that a process has loaded. The roles come from the registry's cache. */
  async status(signal?: AbortSignal): Promise<AnalyzerStatus> {
    const status = await this.#analyzer.status(signal);
    // If the database fails, the analyzer's own status is returned. Requests that need the database report the
    // failure.
    const roles = await this.#models.roles().catch(() => null);
    return roles === null ? status : { ...status, models: answering(status, roles.active) };
  }

  requireRoom(tenant: Tenant): void {
    this.#analyzer.requireRoom(tenant);
  }

  /** @throws StoreUnavailable besides the errors of the analyzer */
  async analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    if (request.models !== undefined) return this.#analyzer.analyze(request, signal);
    try {
      return await this.#analyzer.analyze(await this.#named(request), signal);
    } catch (error) {
      if (!(error instanceof ModelNotHere)) throw error;
    }
    // A process may have unloaded the model because of a switch that the cached roles do not show yet.
    this.#models.forget();
    try {
      return await this.#analyzer.analyze(await this.#named(request), signal);
    } catch (error) {
      const previous = await this.#previousFor(request);
      if (!(error instanceof ModelNotHere) || previous === null) throw error;
      return this.#analyzer.analyze(previous, signal);
    }
  }

  async #named(request: AnalysisRequest): Promise<AnalysisRequest> {
    const { active } = await this.#models.roles();
    return { ...request, models: modelsFor(request, namesOf(active)) };
  }

  async #previousFor(request: AnalysisRequest): Promise<AnalysisRequest | null> {
    const { active, previous } = await this.#models.roles();
    if (previous.length === 0) return null;
    const names = { ...namesOf(active), ...namesOf(previous) };
    return { ...request, models: modelsFor(request, names) };
  }
}

function answering(
  { models, report, found = [] }: AnalyzerStatus,
  active: readonly RegisteredModel[],
): readonly ActiveModel[] {
  const isWarm = ({ revision }: ActiveModel) =>
    report.some((one) => one.revision === revision && one.state === 'warm');
  const isActive = (model: ActiveModel) =>
    active.some(({ name, revision }) => name === model.name && revision === model.revision);
  // The active models are taken from `found` first. `models` has only the models that processes prefer, so an active
  // model that a process has loaded may be missing there.
  const candidates = [...found.filter((model) => isActive(model) && isWarm(model)), ...models];
  return (['face', 'object'] as const).flatMap(
    (slot) => candidates.find((model) => slotOf(model) === slot) ?? [],
  );
}

/** The revisions of the models whose tasks the request contains. */
function modelsFor(
  { faces, faceRegions, objects }: AnalysisRequest,
  { face, object }: NamedModels,
): NamedModels {
  const isOfFaces = faces !== undefined || faceRegions !== undefined;
  return {
    ...(isOfFaces && face !== undefined && { face }),
    ...(objects !== undefined && object !== undefined && { object }),
  };
}
