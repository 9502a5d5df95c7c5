import { useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Api } from '../client/api.ts';
import { useApi, useInvalidate } from '../client/api-context.tsx';
import type { OperationBody } from '../client/operations.ts';
import { IMAGE_READS } from '../images/image-reads.ts';
import { capabilitiesQuery } from '../session/session.ts';
import { planLimits, planUploads } from './plan-uploads.ts';
import { createSender, mayBeOfSome, pauseAfter } from './send-uploads.ts';
import { type UploadChoices, type UploadSource, USUAL_CHOICES } from './upload.ts';
import { type UploadProgress, UploadQueue } from './upload-queue.ts';

interface Uploads {
  readonly queue: UploadQueue;
  /** The choices for the photos that are added next. */
  readonly choices: UploadChoices;
  readonly choose: (choices: UploadChoices) => void;
  readonly add: (sources: readonly UploadSource[]) => void;
}

const UploadsContext = createContext<Uploads | null>(null);

/** Keeps the uploads of an environment while the person goes from page to page. */
export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const api = useApi();
  const { queue, limit } = useMemo(() => createQueue(api), [api]);
  const [choices, choose] = useState(USUAL_CHOICES);
  const limits = useQuery(capabilitiesQuery(api)).data?.limits;
  useEffect(() => limit(limits), [limit, limits]);
  useEffect(() => () => queue.end(), [queue]);
  useEffectsOfProgress(queue);
  const uploads = useMemo(
    () => ({
      queue,
      choices,
      choose,
      add: (sources: readonly UploadSource[]) => queue.add(sources, choices),
    }),
    [queue, choices],
  );
  return <UploadsContext.Provider value={uploads}>{children}</UploadsContext.Provider>;
}

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (uploads === null) throw new Error('The component is outside of an UploadsProvider.');
  return uploads;
}

export function useUploadProgress(): UploadProgress {
  const { queue } = useUploads();
  return useSyncExternalStore(queue.subscribe, () => queue.progress);
}

type Limits = OperationBody<'getCapabilities'>['limits'];

function createQueue(api: Api) {
  let limits: Limits | undefined;
  const queue = new UploadQueue({
    plan: (waiting) => planUploads(waiting, planLimits(limits)),
    send: createSender(api, () => limits?.image_bytes ?? null),
    retryAfter: pauseAfter,
    mayBeOfSome,
  });
  return {
    queue,
    limit: (known: Limits | undefined) => {
      limits = known;
    },
  };
}

/** Lists of images show stored photos once the last one is stored. */
function useEffectsOfProgress(queue: UploadQueue): void {
  const invalidate = useInvalidate();
  const { stored, left } = useSyncExternalStore(queue.subscribe, () => queue.progress);
  const isRunning = left > 0;
  useEffect(() => {
    if (stored > 0 && !isRunning) void invalidate(...IMAGE_READS);
  }, [stored, isRunning, invalidate]);
}
