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
 * What the log shows of an error: never its other fields. A database error carries the statement's
 * parameters and the row's values, which are personal data. PANs and mobile numbers in its text are masked.
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
