import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import { FollowedJobs } from './followed-jobs.ts';

const JobsContext = createContext<FollowedJobs | null>(null);

/** Keeps the jobs of this tab in an environment, whichever page is open. */
export function JobsProvider({ children }: { readonly children: ReactNode }) {
  const jobs = useMemo(() => new FollowedJobs(), []);
  return <JobsContext.Provider value={jobs}>{children}</JobsContext.Provider>;
}

/** The jobs of this tab. The bar at the bottom shows those that run, and says how each of them ended. */
export function useJobs(): FollowedJobs {
  const jobs = useContext(JobsContext);
  if (jobs === null) throw new Error('The component is outside of a JobsProvider.');
  return jobs;
}

export function useRunningJobs() {
  const jobs = useJobs();
  return useSyncExternalStore(jobs.subscribe, () => jobs.running);
}
