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

export interface StoreImageSteps<Answer> {
  /**
   * Called with the first plan before files are stored, and with later plans in the transaction. It throws to reject a
   * plan.
   */
  readonly check?: ((plan: ImagePlan) => void) | undefined;
  /** The last step of the transaction. */
  readonly finish: (tx: Transaction, plan: ImagePlan, result: ImageResult) => Promise<Answer>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores the detections of a run by {@link storePlan}. During an activation, the pending face model also embeds the
 * faces.
 *
 * @param prepared the run, and the stored rows of the image when the run began
 * @throws NotFound or TypeMismatch because of the named identity; StoreUnavailable; the errors of the steps
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
      if (plan.removed.length > 0) {
        const ids = plan.removed.map(({ id }) => id);
        await tx.audit({ entity: 'detection', action: 'delete', ids });
      }
      if (successor !== null) await writeForSuccessor(tx, plan, { result, successor });
      return finish(tx, plan, result);
    },
  };
  return storePlan(deps, { run, steps }, signal);
}
