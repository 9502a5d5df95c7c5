import { useEffect, useRef, useState } from 'react';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';

export interface CameraDialogProps {
  readonly onClose: () => void;
  readonly onPhoto: (file: File) => void;
}

/** Shows the camera while it is open. The frames stay in the page; one of them becomes the photo. */
export function CameraDialog({ onClose, onPhoto }: CameraDialogProps) {
  const texts = useMessages(TRY_MESSAGES);
  const { video, state, ready } = useCamera();
  const take = async () => {
    const frame = video.current && (await photoOfFrame(video.current));
    if (frame) onPhoto(frame);
  };
  return (
    <Dialog title={texts.cameraTitle} isOpen onClose={onClose} isWide>
      {state === 'insecure' && <Notice look="warn">{texts.cameraInsecure}</Notice>}
      {state === 'refused' && (
        <Notice look="bad" isAlert>
          {texts.cameraRefused}
        </Notice>
      )}
      {(state === 'starting' || state === 'shown') && (
        <>
          <p>{state === 'starting' ? texts.cameraStarting : texts.cameraNote}</p>
          <video
            ref={video}
            className={styles.camera}
            aria-label={texts.camera}
            autoPlay
            muted
            playsInline
            onLoadedData={ready}
          />
        </>
      )}
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button look="primary" isDisabled={state !== 'shown'} onPress={() => void take()}>
          {texts.take}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type CameraState = 'insecure' | 'starting' | 'shown' | 'refused';

/** Runs the camera until the component is removed. */
function useCamera() {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>(isSecureContext ? 'starting' : 'insecure');
  useEffect(() => {
    if (!isSecureContext) return undefined;
    let isOpen = true;
    let stream: MediaStream | null = null;
    navigator.mediaDevices
      .getUserMedia({ video: { width: { ideal: 1920 }, height: { ideal: 1080 } } })
      .then((opened) => {
        stream = opened;
        // The dialog may have been closed before the person allowed the camera.
        if (!isOpen) stop(opened);
        else if (video.current !== null) video.current.srcObject = opened;
      })
      .catch(() => isOpen && setState('refused'));
    return () => {
      isOpen = false;
      if (stream !== null) stop(stream);
    };
  }, []);
  return { video, state, ready: () => setState('shown') };
}

function stop(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

async function photoOfFrame(video: HTMLVideoElement): Promise<File | null> {
  const canvas = document.createElement('canvas');
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', 0.95);
  });
  return blob && new File([blob], 'camera.jpg', { type: 'image/jpeg' });
}
