declare module 'virtual:endpoints' {
  /** The endpoints by operation id. */
  // oxlint-disable-next-line typescript/consistent-type-imports -- a declared module has no relative imports
  export const ENDPOINTS: Readonly<Record<string, import('./client/endpoint.ts').Endpoint>>;
  /** Throws if the body does not match the contract; does nothing in builds for production. */
  export function checkAnswer(operation: string, status: number, body: unknown): void;
}

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  // oxlint-disable-next-line house/named-exports -- Vite exports the classes so
  export default classes;
}

declare module '*.css';
