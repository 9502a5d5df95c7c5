import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type Model, useCommercialText } from './model-card.tsx';
import styles from './models.module.css';
import { MODELS_MESSAGES } from './models-messages.ts';

export interface DownloadDialogProps {
  readonly model: Model;
  readonly onClose: () => void;
  readonly onStarted: (jobId: number) => void;
}

/** Shows the license, and downloads the model once the person has accepted it. */
export function DownloadDialog({ model, onClose, onStarted }: DownloadDialogProps) {
  const texts = useMessages(MODELS_MESSAGES);
  const commercial = useCommercialText();
  const send = useSend();
  const invalidate = useInvalidate();
  const [isAccepted, setAccepted] = useState(false);
  const download = useMutation({
    mutationFn: () =>
      send('downloadModel', {
        path: { id: model.id },
        query: { accept_license: true },
      }),
    onSuccess: async ({ body: { job_id: jobId } }) => {
      onStarted(jobId);
      await invalidate('listModels');
    },
  });
  return (
    <Dialog title={texts.downloadTitle(model.name)} isOpen onClose={onClose}>
      <p>{texts.licenseText(model.license)}</p>
      <p>{commercial(model)}</p>
      <Checkbox isSelected={isAccepted} onChange={setAccepted}>
        {texts.accept}
      </Checkbox>
      <p className={styles.quiet}>{texts.acceptText}</p>
      {download.error && <Failure error={download.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="primary"
          isDisabled={!isAccepted || download.isPending}
          onPress={() => download.mutate()}
        >
          {texts.download}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
