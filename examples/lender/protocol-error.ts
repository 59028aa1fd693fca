/** The answer to an invalid call: not a verdict, and not "not known yet". */
export class ProtocolError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, code: string, message: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get body(): { error: { code: string; message: string } } {
    return { error: { code: this.code, message: this.message } };
  }
}
