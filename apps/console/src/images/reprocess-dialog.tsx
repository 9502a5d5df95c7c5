import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Loading } from '../frame/page-state.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Notice } from '../ui/notice.tsx';
import { Select } from '../ui/select.tsx';
import type { ImageTarget } from './image-target.ts';
import { SELECTION_MESSAGES } from './selection-messages.ts';
import { useImageTexts } from './use-image-texts.ts';
import { useTargetCount } from './use-target-count.ts';

const TYPES = ['all', 'faces', 'objects'] as const;

export interface ReprocessChoices {
  readonly type: (typeof TYPES)[number];
  readonly replace: boolean;
}

export interface ReprocessDialogProps {
  readonly target: ImageTarget;
  readonly start: (choices: ReprocessChoices) => Promise<void>;
  readonly onClose: () => void;
}

/** Runs the active models on images again. Removing what was found before says what is lost. */
export function ReprocessDialog({ target, start, onClose }: ReprocessDialogProps) {
  const texts = useMessages(SELECTION_MESSAGES);
  const { images } = useImageTexts();
  const count = useTargetCount(target);
  const [choices, setChoices] = useState<ReprocessChoices>({ type: 'all', replace: false });
  const run = useMutation({ mutationFn: () => start(choices), onSuccess: onClose });
  const title =
    count.data === undefined ? texts.counting : texts.reprocessTitle(images(count.data));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {count.isPending && <Loading />}
      {count.error && <Failure error={count.error} onRetry={() => void count.refetch()} />}
      <p>{choices.replace ? texts.replaceText : texts.reprocessText}</p>
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
      {run.error && <Failure error={run.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look={choices.replace ? 'danger' : 'primary'}
          isDisabled={!count.isSuccess || run.isPending}
          onPress={() => run.mutate()}
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
