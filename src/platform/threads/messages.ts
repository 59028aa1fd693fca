/** In both directions, so that both sides work in parallel. */
export const MAX_PER_MESSAGE = 64;

export interface NumberedOrder {
  readonly id: number;
  readonly order: unknown;
}

/** Orders, or the command to end. */
export type Orders = readonly NumberedOrder[] | 'end';

export type Answers<Answer> = readonly Answered<Answer>[];

export type Answered<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: ErrorParts };

/** Structured cloning would lose codes and causes. */
export interface ErrorParts {
  readonly message: string;
  readonly stack?: string;
  /** Codes and the like. */
  readonly parts: Readonly<Record<string, string | number>>;
  readonly cause?: ErrorParts;
  /** Of an AggregateError. */
  readonly errors?: readonly ErrorParts[];
}

const DEEPEST = 3;

export function partsOf(error: unknown, depth = 0): ErrorParts {
  if (!(error instanceof Error)) return { message: String(error), parts: {} };
  const { message, stack, cause } = error;
  const parts = Object.fromEntries(Object.entries(error).filter(([, value]) => isPlain(value)));
  if (depth === DEEPEST) return { message, stack, parts };
  const errors = error instanceof AggregateError ? (error.errors as unknown[]) : undefined;
  return {
    message,
    stack,
    parts,
    cause: cause === undefined ? undefined : partsOf(cause, depth + 1),
    errors: errors?.map((one) => partsOf(one, depth + 1)),
  };
}

export function errorOf({ message, stack, parts, cause, errors }: ErrorParts): Error {
  const options = cause && { cause: errorOf(cause) };
  const error = errors
    ? new AggregateError(errors.map(errorOf), message, options)
    : new Error(message, options);
  return Object.assign(error, { stack }, parts);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
