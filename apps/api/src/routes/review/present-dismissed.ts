/** The answer of the endpoints that dismiss many faces. */
export function presentDismissed(dismissed: number) {
  return { status: 200, body: { dismissed } } as const;
}
