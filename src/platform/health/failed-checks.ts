import { ServiceUnavailableException } from '@nestjs/common';
import type { FieldProblem } from '../errors/fault.js';

type Checks = Readonly<Record<string, { readonly message?: string } | undefined>>;

/** The checks of `/health/ready` that failed, each with its reason; none for every other failure. */
export function failedChecks(error: unknown): FieldProblem[] | undefined {
  if (!(error instanceof ServiceUnavailableException)) return undefined;
  const { error: checks } = error.getResponse() as { error?: Checks | string };
  if (typeof checks !== 'object') return undefined;
  return Object.entries(checks).map(([field, check]) => ({
    field,
    message: check?.message ?? 'is down',
  }));
}
