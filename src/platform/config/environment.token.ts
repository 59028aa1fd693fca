/** The token under which the frozen environment is injected. */
export const ENVIRONMENT = Symbol('environment');
