/** What names one call to a lender in both sides' logs. */
export interface CallNames {
  /** The question's id as the lender gets it: a connector may lengthen it. */
  question: string;
  /** Of the call, once it is made. */
  traceparent?: string;
}
