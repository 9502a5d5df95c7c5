import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useApi, useInvalidate, useRead } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import type { Model } from './model-card.tsx';
import { MODELS_MESSAGES } from './models-messages.ts';

type Moment = 'before' | 'after';
type Plan = OperationBody<'planActivation'>;

/** The result of the request: the model is active, or a job will make it so. */
export type Activation = { readonly jobId: number } | { readonly previous: number | null };

export interface ActivateDialogProps {
  readonly model: Model;
  readonly onClose: () => void;
  readonly onStarted: (activation: Activation) => void;
}

/** Says what an activation would do, and then does it. */
export function ActivateDialog({ model, onClose, onStarted }: ActivateDialogProps) {
  const texts = useMessages(MODELS_MESSAGES);
  const [reembed, setReembed] = useState<Moment>('before');
  const plan = useRead(
    'planActivation',
    { path: { id: model.id }, query: { reembed } },
    { staleTime: 0, gcTime: 0 },
  );
  const activate = useActivate(model, onStarted);
  return (
    <Dialog title={texts.activateTitle(model.name)} isOpen onClose={onClose}>
      {model.task === 'face' && (
        <>
          <Select<Moment>
            label={texts.when}
            value={reembed}
            onChange={setReembed}
            options={[
              { value: 'before', text: texts.before },
              { value: 'after', text: texts.after },
            ]}
          />
          <p>{reembed === 'before' ? texts.beforeText : texts.afterText}</p>
        </>
      )}
      {plan.isPending && <Loading />}
      {plan.error && <Failure error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && <PlanFacts plan={plan.data} reembed={reembed} />}
      {isProblem(activate.error, 'in_progress') && (
        <Notice look="warn" isAlert>
          {texts.inProgress}
        </Notice>
      )}
      {activate.error && !isProblem(activate.error, 'in_progress') && (
        <Failure error={activate.error} />
      )}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="primary"
          isDisabled={plan.data === undefined || activate.isPending}
          onPress={() => activate.mutate(reembed)}
        >
          {texts.activate}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useActivate(model: Model, onStarted: (activation: Activation) => void) {
  const api = useApi();
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: (reembed: Moment) =>
      api.send('activateModel', { path: { id: model.id }, body: { reembed } }),
    onSuccess: async ({ body }) => {
      onStarted('job_id' in body ? { jobId: body.job_id } : { previous: body.previous_model_id });
      await invalidate('listModels');
    },
  });
}

function PlanFacts({ plan, reembed }: { readonly plan: Plan; readonly reembed: Moment }) {
  const texts = useMessages(MODELS_MESSAGES);
  const formats = useFormats();
  const time = (seconds: number | null) =>
    seconds === null ? texts.unknownTime : formats.seconds(seconds);
  if (plan.reembed_images === 0) return <p>{texts.nothingToCompute}</p>;
  const { free_bytes: free, needed_bytes: needed } = plan;
  return (
    <>
      <Facts
        facts={[
          { name: texts.planImages, value: formats.number(plan.reembed_images) },
          { name: texts.planEnrolled, value: formats.number(plan.enrolled_images) },
          { name: texts.planTime, value: time(plan.estimated_seconds) },
          {
            name: reembed === 'before' ? texts.planEnrolledTime : texts.planPause,
            value: time(plan.enrolled_seconds),
          },
          { name: texts.planBytes, value: formats.bytes(needed) },
          {
            name: texts.planFree,
            value: free === null ? texts.unknownSpace : formats.bytes(free),
          },
        ]}
      />
      {free !== null && free < needed && <Notice look="warn">{texts.tooLittle}</Notice>}
      <Notice {...(plan.matching_pauses && { look: 'warn' as const })}>
        {plan.matching_pauses ? texts.pauses : texts.noPause}
      </Notice>
    </>
  );
}
