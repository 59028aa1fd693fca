/** The partner API sends its answer, and a header when it is replayed. */
export class IdempotentResult<Answer extends object = object> {
  constructor(
    readonly answer: Answer,
    readonly isReplayed: boolean,
  ) {}
}
