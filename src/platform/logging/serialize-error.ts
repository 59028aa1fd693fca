import { maskIdentityWords } from '../validation/identity-words.js';

interface SerializedError {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  cause?: SerializedError;
}

const MAX_CAUSES = 4;

/**
 * Only these fields: a database error carries parameters and values, which are personal data. PANs
 * and mobile numbers are masked.
 */
export function serializeError(error: unknown, depth = 0): SerializedError | undefined {
  if (!(error instanceof Error) || depth > MAX_CAUSES) return undefined;
  const { code } = error as { code?: unknown };
  const cause = serializeError(error.cause, depth + 1);
  return {
    type: error.name,
    message: maskIdentityWords(error.message),
    ...(error.stack !== undefined && { stack: maskIdentityWords(error.stack) }),
    ...(typeof code === 'string' && { code }),
    ...(cause && { cause }),
  };
}
