/** The memory in bytes that this process uses now. */
export function usedMemory(): number {
  return process.memoryUsage.rss();
}
