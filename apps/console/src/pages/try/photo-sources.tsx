import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { FileTrigger, Form } from 'react-aria-components';
import { useApi } from '../../client/api-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { capabilitiesQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { checkPhoto } from '../../uploads/check-photo.ts';
import { photoAddress } from '../../uploads/photo-address.ts';
import { CameraDialog } from './camera-dialog.tsx';
import { type Photo, photoAtUrl, photoOfFile } from './photo.ts';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';

export interface PhotoSourcesProps {
  /** Whether there is a photo already, which the next one replaces. */
  readonly hasPhoto: boolean;
  readonly onPhoto: (photo: Photo) => void;
  readonly onFile: (file: File) => void;
}

/** The buttons by which a photo comes into the page. */
export function PhotoSources({ hasPhoto, onPhoto, onFile }: PhotoSourcesProps) {
  const texts = useMessages(TRY_MESSAGES);
  const [isCameraOpen, setCameraOpen] = useState(false);
  return (
    <div className={styles.sources}>
      <div className={styles.row}>
        <FileTrigger
          acceptedFileTypes={['image/*']}
          onSelect={(files) => files?.[0] && onFile(files[0])}
        >
          <Button {...(!hasPhoto && { look: 'primary' })}>
            {hasPhoto ? texts.chooseOther : texts.choose}
          </Button>
        </FileTrigger>
        <Button onPress={() => setCameraOpen(true)}>
          <Icon name="camera" />
          {texts.camera}
        </Button>
      </div>
      <AddressField onPhoto={onPhoto} />
      {isCameraOpen && (
        <CameraDialog
          onClose={() => setCameraOpen(false)}
          onPhoto={(file) => {
            setCameraOpen(false);
            onFile(file);
          }}
        />
      )}
    </div>
  );
}

function AddressField({ onPhoto }: Pick<PhotoSourcesProps, 'onPhoto'>) {
  const texts = useMessages(TRY_MESSAGES);
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const fetchPhoto = () => {
    const address = photoAddress(text);
    setWrong(address === null);
    if (address !== null) onPhoto(photoAtUrl(address));
  };
  return (
    <Form
      className={styles.address}
      onSubmit={(event) => {
        event.preventDefault();
        fetchPhoto();
      }}
    >
      <TextInput
        label={texts.address}
        type="url"
        inputMode="url"
        value={text}
        onChange={setText}
        error={isWrong ? texts.noAddress : null}
      />
      <Button type="submit">{texts.fetch}</Button>
    </Form>
  );
}

/** Checks a file before the page takes it as its photo, and keeps why it was refused. */
export function usePhotoFile(onPhoto: (photo: Photo) => void) {
  const capabilities = useQuery(capabilitiesQuery(useApi()));
  const [error, setError] = useState<Error | null>(null);
  const take = async (file: File) => {
    setError(null);
    try {
      await checkPhoto(file, capabilities.data?.limits.image_bytes ?? null);
      onPhoto(photoOfFile(file));
    } catch (caught) {
      setError(caught as Error);
    }
  };
  return { error, take: (file: File) => void take(file), clear: () => setError(null) };
}

/** Takes a picture, or the address of one, that is pasted outside of text fields. */
export function usePastedPhoto(
  isActive: boolean,
  { onPhoto, onFile }: Pick<PhotoSourcesProps, 'onPhoto' | 'onFile'>,
): void {
  const pasted = useEffectEvent(({ clipboardData, target }: ClipboardEvent) => {
    const [file] = clipboardData?.files ?? [];
    if (file !== undefined) onFile(file);
    else if (!(target instanceof HTMLInputElement)) {
      const address = photoAddress(clipboardData?.getData('text/plain') ?? '');
      if (address !== null) onPhoto(photoAtUrl(address));
    }
  });
  useEffect(() => {
    if (!isActive) return undefined;
    const listener = (event: ClipboardEvent) => pasted(event);
    document.addEventListener('paste', listener);
    return () => document.removeEventListener('paste', listener);
  }, [isActive]);
}
