import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import type { Job } from '../../jobs/job.ts';
import { JOBS_MESSAGES } from './jobs-messages.ts';

/** The numbers of jobs in words. */
export function useJobTexts() {
  const texts = useMessages(JOBS_MESSAGES);
  const formats = useFormats();
  /** A number without its unit; bytes have it in their format. */
  const bare = (unit: Job['unit'], count: number) =>
    unit === 'bytes' ? formats.bytes(count) : formats.number(count);
  const amount = (unit: Job['unit'], count: number) =>
    unit === 'bytes' ? formats.bytes(count) : texts[unit](formats.number(count));
  return {
    amount,
    name: ({ type, id }: Pick<Job, 'type' | 'id'>) => `${texts[type]} ${id}`,
    progress: ({ unit, done, failed, total }: Job) =>
      texts.progress(bare(unit, done + failed), amount(unit, total)),
    /** The sum as the service counts it, such as "5 done + 2 failed = 7 images". */
    sum: ({ unit, done, failed, total }: Job) =>
      texts.sum(bare(unit, done), bare(unit, failed), amount(unit, total)),
    /** The sum of a job that goes on. */
    partSum: ({ unit, done, failed, total }: Job) =>
      texts.partSum(bare(unit, done), bare(unit, failed), amount(unit, total)),
    rate: (unit: Job['unit'], rate: number) =>
      texts.perSecond(
        unit === 'bytes' ? formats.bytes(rate) : formats.number(Number(rate.toPrecision(2))),
      ),
    error: (error: string) => (error === 'cancelled' ? texts.cancelled : error),
  };
}
