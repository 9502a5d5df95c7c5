import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import { useApi } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { capabilitiesQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import {
  type UploadChoices,
  USUAL_CHOICES,
  useUploadProgress,
  useUploads,
} from '../../uploads/uploads-context.tsx';
import { UploadList } from './upload-list.tsx';
import { UPLOAD_MESSAGES } from './upload-messages.ts';
import styles from './upload.module.css';

/** Sends photos to the service. They go on while the person looks at other pages. */
export function UploadPage() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const { total } = useUploadProgress();
  usePastedFiles();
  return (
    <Page title={texts.title}>
      <div className={styles.body}>
        <Choices />
        <FileSources />
        {total > 0 && (
          <>
            <Progress />
            <UploadList />
          </>
        )}
      </div>
    </Page>
  );
}

function Choices() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const { choose } = useUploads();
  const [choices, setChoices] = useState(USUAL_CHOICES);
  const change = (changed: Partial<UploadChoices>) => {
    const next = { ...choices, ...changed };
    setChoices(next);
    choose(next);
  };
  return (
    <div className={styles.row}>
      <Select<UploadChoices['detect']>
        label={texts.detect}
        value={choices.detect}
        onChange={(detect) => change({ detect })}
        options={[
          { value: 'all', text: texts.detectAll },
          { value: 'faces', text: texts.detectFaces },
          { value: 'objects', text: texts.detectObjects },
        ]}
      />
      <Switch
        label={texts.names}
        isOn={choices.namesAreRefs}
        onChange={(namesAreRefs) => change({ namesAreRefs })}
      />
    </div>
  );
}

function FileSources() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const formats = useFormats();
  const { queue } = useUploads();
  const capabilities = useQuery(capabilitiesQuery(useApi()));
  const add = (files: FileList | null) => queue.add([...(files ?? [])]);
  return (
    // Files that are dropped anywhere on the page are taken by the frame.
    <DropZone className={styles.drop} aria-label={texts.drop}>
      <Icon name="upload" />
      <p>{texts.drop}</p>
      <div className={styles.row}>
        <FileTrigger allowsMultiple acceptedFileTypes={['image/*']} onSelect={add}>
          <Button look="primary">{texts.files}</Button>
        </FileTrigger>
        <FileTrigger acceptDirectory onSelect={add}>
          <Button>{texts.folder}</Button>
        </FileTrigger>
      </div>
      {capabilities.data && (
        <p className={styles.quiet}>
          {texts.empty(
            formats.bytes(capabilities.data.limits.image_bytes),
            formats.list(capabilities.data.formats),
          )}
        </p>
      )}
    </DropZone>
  );
}

function Progress() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const formats = useFormats();
  const { queue } = useUploads();
  const { total, stored, failed, isPaused, isRunning } = useUploadProgress();
  const text = texts.progress(formats.number(stored), formats.number(total));
  return (
    <div>
      <progress className={styles.bar} value={stored + failed} max={total} aria-label={text} />
      <div className={styles.row} role="status">
        <span>{text}</span>
        {failed > 0 && (
          <span className={styles.failed}>{texts.failed(formats.number(failed))}</span>
        )}
        {isRunning && (
          <Button onPress={() => (isPaused ? queue.resume() : queue.pause())}>
            {isPaused ? texts.resume : texts.pause}
          </Button>
        )}
        {failed > 0 && <Button onPress={() => queue.retryFailed()}>{texts.retry}</Button>}
        {stored > 0 && <Button onPress={() => queue.removeStored()}>{texts.clear}</Button>}
      </div>
    </div>
  );
}

function usePastedFiles(): void {
  const { queue } = useUploads();
  useEffect(() => {
    const pasted = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0) queue.add(files);
    };
    document.addEventListener('paste', pasted);
    return () => document.removeEventListener('paste', pasted);
  }, [queue]);
}
