import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../client/api-context.tsx';
import type { Api } from '../../client/api.ts';
import { Loading } from '../../frame/page-state.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import type { ImageTarget } from './image-target.ts';
import { SELECTION_MESSAGES } from './selection-messages.ts';
import { useImageTexts } from './use-image-texts.ts';
import { useTargetCount } from './use-target-count.ts';

const TYPES = ['all', 'faces', 'objects'] as const;

interface Choices {
  readonly type: (typeof TYPES)[number];
  readonly replace: boolean;
}

export interface ReprocessDialogProps {
  readonly target: ImageTarget;
  readonly onJob: (jobId: number) => void;
  readonly onClose: () => void;
}

/** Runs the active models on images again. Removing what was found before says what is lost. */
export function ReprocessDialog({ target, onJob, onClose }: ReprocessDialogProps) {
  const api = useApi();
  const texts = useMessages(SELECTION_MESSAGES);
  const { images } = useImageTexts();
  const count = useTargetCount(target);
  const [choices, setChoices] = useState<Choices>({ type: 'all', replace: false });
  const [key] = useState(() => crypto.randomUUID());
  const start = useMutation({
    mutationFn: () => startJob(api, { target, choices, key }),
    onSuccess: ({ job_id: id }) => {
      onJob(id);
      onClose();
    },
  });
  const title =
    count.data === undefined ? texts.counting : texts.reprocessTitle(images(count.data));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {count.isPending && <Loading />}
      {count.error && <Failure error={count.error} onRetry={() => void count.refetch()} />}
      <p>{texts.reprocessText}</p>
      <Select
        label={texts.type}
        options={TYPES.map((value) => ({ value, text: texts[value] }))}
        value={choices.type}
        onChange={(type) => setChoices({ ...choices, type })}
      />
      <Checkbox
        isSelected={choices.replace}
        onChange={(replace) => setChoices({ ...choices, replace })}
      >
        {texts.replace}
      </Checkbox>
      {choices.replace && <Loss target={target} />}
      {start.error && <Failure error={start.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look={choices.replace ? 'danger' : 'primary'}
          isDisabled={!count.isSuccess || start.isPending}
          onPress={() => start.mutate()}
        >
          {texts.reprocess}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Loss({ target }: { readonly target: ImageTarget }) {
  const texts = useMessages(SELECTION_MESSAGES);
  const { found } = useImageTexts();
  const isKnown = target.kind === 'some' && target.found !== null;
  return (
    <Notice look="warn" isAlert>
      {isKnown ? texts.lost(found(target.found)) : texts.lostAll}
    </Notice>
  );
}

interface Start {
  readonly target: ImageTarget;
  readonly choices: Choices;
  readonly key: string;
}

/** Another choice is another decision, so it gets another key. */
async function startJob(api: Api, { target, choices, key }: Start): Promise<{ job_id: number }> {
  const headers = { 'Idempotency-Key': `${key}-${choices.type}-${choices.replace}` };
  if (target.kind === 'some') {
    const body = { source_image_ids: [...target.ids], ...choices };
    const answer = await api.read('reprocessImages', { query: { async: true }, body, headers });
    if ('job_id' in answer) return answer;
  } else {
    const { where, as_of, except } = target;
    const body = { action: 'reprocess', where, as_of, except, ...choices } as const;
    const answer = await api.read('bulkImages', { body, headers });
    if ('job_id' in answer) return answer;
  }
  throw new Error('The service has started no job.');
}
