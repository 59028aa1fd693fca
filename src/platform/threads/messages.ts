export interface NumberedOrder {
  readonly id: number;
  readonly order: unknown;
}

/** What a thread is sent: some orders, or that it is to end. */
export type Orders = readonly NumberedOrder[] | 'end';

/** What it sends back, in whatever order: what came of some of them. */
export type Answers<Answer> = readonly Answered<Answer>[];

export type Answered<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: ErrorParts };

/** An error as it passes between threads, which would lose the codes that tell one from another. */
export interface ErrorParts {
  readonly message: string;
  readonly stack?: string;
  /** The server's or the socket's, as they name them. */
  readonly parts: Readonly<Record<string, string | number>>;
}

export function partsOf(error: unknown): ErrorParts {
  if (!(error instanceof Error)) return { message: String(error), parts: {} };
  const parts = Object.entries(error).filter(([, value]) => isPlain(value));
  const { message, stack } = error;
  return { message, stack, parts: Object.fromEntries(parts) };
}

export function errorOf({ message, stack, parts }: ErrorParts): Error {
  return Object.assign(new Error(message), { stack }, parts);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
