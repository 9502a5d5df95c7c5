import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second for all programs. */
const TICKS_PER_SECOND = 100;
/** The fields of /proc/PID/stat after the name of the program, which may have blanks: the state is the first of them. */
const PARENT = 1;
const USER_TIME = 11;
const CHILDREN_SYSTEM_TIME = 14;

interface ProcessTimes {
  readonly parent: number;
  /** The CPU seconds of the process and of its children that have ended. */
  readonly seconds: number;
}

/** The CPU seconds of this process and of its children that have ended; null where there is no /proc. */
export function ownCpuSeconds(): number | null {
  return readTimes('self')?.seconds ?? null;
}

/** The CPU seconds of a process, its descendants, and those of them that have ended; null where there is no /proc. */
export function cpuSecondsOfTree(root: number): number | null {
  const all = allTimes();
  const own = all.get(root);
  if (own === undefined) return null;
  const children = [...all].filter(([, { parent }]) => parent === root);
  return children.reduce((sum, [pid]) => sum + (cpuSecondsOfTree(pid) ?? 0), own.seconds);
}

function allTimes(): ReadonlyMap<number, ProcessTimes> {
  const pids = readFolder('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      const times = readTimes(pid);
      return times === null ? [] : [[Number(pid), times] as const];
    }),
  );
}

function readTimes(pid: string): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const times = fields.slice(USER_TIME, CHILDREN_SYSTEM_TIME + 1).map(Number);
    const ticks = times.reduce((sum, time) => sum + time, 0);
    return { parent: Number(fields[PARENT]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    // The process has ended, or there is no /proc.
    return null;
  }
}

function readFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
