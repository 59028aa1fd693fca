/** Which calls of a partner; what is left out filters nothing. */
export interface RequestFilter {
  readonly statusClass?: '2xx' | '4xx' | '5xx';
  /** Of a failure: an error code. */
  readonly code?: string;
  readonly method?: string;
  /** Below `/api/v1/partner`: `/journey/:journeyId`. */
  readonly route?: string;
  /** A part of the path as the log keeps it. */
  readonly path?: string;
  /** `X-Request-Id`: ours, or the caller’s own. */
  readonly requestId?: string;
  /** A journey, an application, a subscription: the first id in the path, or what the call has made. */
  readonly subjectId?: string;
  readonly keyId?: string;
  /** The earliest and the latest moment of arrival, both included. */
  readonly from?: Date;
  readonly to?: Date;
}
