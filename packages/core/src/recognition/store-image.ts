import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { Transaction } from '../database/database.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import { embedForSuccessor } from './embed-for-successor.ts';
import type { ImagePlan } from './plan/image-plan.ts';
import { planImage } from './plan/plan-image.ts';
import type { ImageResult } from './result/image-result.ts';
import { type SuccessorVectors, writeForSuccessor } from './result/write-for-successor.ts';
import { writeImage } from './result/write-image.ts';
import { type ImageRun, storedModel } from './run/image-run.ts';
import type { StoredImage } from './state/image-state.ts';
import { readImageState } from './state/read-image-state.ts';
import { type PlanSteps, storePlan, type StorePlanDeps } from './store-plan.ts';

export interface StoreImageDeps extends StorePlanDeps {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

/** The steps that a use case adds to the storing of an image. */
export interface StoreImageSteps<Answer> {
  /**
   * Called with each plan that is made: before any file is put, and under the locks. May throw to
   * refuse it.
   */
  readonly check?: ((plan: ImagePlan) => void) | undefined;
  /** The last step of the transaction. */
  readonly finish: (tx: Transaction, plan: ImagePlan, result: ImageResult) => Promise<Answer>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores what was found in an image, by {@link storePlan}. During an activation, faces that the plan
 * stores are also embedded by the pending face model.
 *
 * @param prepared the run, and what was stored of its image when it began
 * @throws NotFound, TypeMismatch for the named identity; StoreUnavailable; what the steps throw
 */
export function storeImage<Answer>(
  deps: StoreImageDeps,
  { run, stored }: { readonly run: ImageRun; readonly stored: StoredImage },
  { check, finish, signal }: StoreImageSteps<Answer>,
): Promise<Answer> {
  const model = storedModel(run);
  let successor: SuccessorVectors | null = null;
  const steps: PlanSteps<ImagePlan, Answer> = {
    read: (stores) => readImageState(stores, run, stored),
    reread: async (tx) => {
      const [state] = await Promise.all([
        readImageState(tx, run),
        model === null ? null : tx.requireCounting(model.id),
      ]);
      return state;
    },
    plan: (state) => {
      const plan = planImage(run, state);
      check?.(plan);
      return plan;
    },
    prepare: async (plan) => {
      successor = await embedForSuccessor(deps, plan, signal);
    },
    write: async (tx, plan, files) => {
      const result = await writeImage(tx, plan, files);
      if (successor !== null) await writeForSuccessor(tx, plan, { result, successor });
      return finish(tx, plan, result);
    },
  };
  return storePlan(deps, { run, steps }, signal);
}
