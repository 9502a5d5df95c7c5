import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useSend } from '../../client/use-send.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TRANSFER_MESSAGES } from './transfer-messages.ts';

export interface ImportDialogProps {
  readonly onClose: () => void;
  /** Called with the id of the job. */
  readonly onStarted: (id: number) => void;
}

/** Uploads an archive. The service answers after its check, and a job imports it then. */
export function ImportDialog({ onClose, onStarted }: ImportDialogProps) {
  const texts = useMessages(TRANSFER_MESSAGES);
  const [file, setFile] = useState<File | null>(null);
  const upload = useUpload((id) => {
    onClose();
    onStarted(id);
  });
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    upload.reset();
    setFile(chosen);
  };
  return (
    <Dialog title={texts.importTitle} isOpen onClose={onClose}>
      <p>{texts.importText}</p>
      <div>
        <FileTrigger
          acceptedFileTypes={['.zip', 'application/zip']}
          onSelect={(files) => choose(files?.[0])}
        >
          <Button isDisabled={upload.isPending}>
            {file === null ? texts.chooseFile : texts.chooseOther}
          </Button>
        </FileTrigger>
      </div>
      <ChosenFile file={file} />
      <p role="status">{upload.isPending && texts.uploading}</p>
      {upload.error && <Failure error={upload.error} />}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button
          look="primary"
          isBusy={upload.isPending}
          isDisabled={file === null}
          onPress={() => file !== null && upload.mutate(file)}
        >
          {texts.startImport}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function ChosenFile({ file }: { readonly file: File | null }) {
  const texts = useMessages(TRANSFER_MESSAGES);
  const formats = useFormats();
  if (file === null) return <p>{texts.noFile}</p>;
  return (
    <p>
      <bdi>{file.name}</bdi> · {formats.bytes(file.size)}
    </p>
  );
}

/** Sends the archive, and stops as soon as the dialog closes. */
function useUpload(onStarted: (id: number) => void) {
  const send = useSend();
  const sending = useRef<AbortController | null>(null);
  useEffect(() => () => sending.current?.abort(), []);
  const upload = useMutation({
    mutationFn: async (file: File) => {
      sending.current = new AbortController();
      const { signal } = sending.current;
      const sent = await send('importArchive', { query: { async: true }, body: { file }, signal });
      // The service may have answered while the dialog was closing.
      if ('job_id' in sent.body) onStarted(sent.body.job_id);
    },
  });
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: upload.isPending });
  return upload;
}
