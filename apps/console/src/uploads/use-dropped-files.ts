import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { droppedFiles } from './dropped-files.ts';
import { useUploads } from './uploads-context.tsx';

/** Takes files that are dropped anywhere on a page of the environment, and shows their upload. */
export function useDroppedFiles(environment: string): void {
  const { add } = useUploads();
  const router = useRouter();
  useEffect(() => {
    const isOfFiles = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes('Files') === true;
    const allow = (event: DragEvent) => {
      if (isOfFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      // A part of a page, such as a field for one photo, may have taken the files already.
      if (!isOfFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      void droppedFiles(event.dataTransfer!).then((sources) => {
        add(sources);
        return router.navigate({ to: '/$environment/upload', params: { environment } });
      });
    };
    document.addEventListener('dragover', allow);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', allow);
      document.removeEventListener('drop', drop);
    };
  }, [environment, add, router]);
}
