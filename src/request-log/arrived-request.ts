import type { KeptRefusal } from './store/partner-request.entity.js';

/** A call that was answered and waits to be written. */
export interface ArrivedRequest {
  readonly partnerId: string;
  /** `req_…` with the time of arrival in it; never the caller’s own. */
  readonly id: string;
  /** The caller’s own `X-Request-Id`. */
  readonly givenId: string | null;
  readonly keyId: string;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly subjectId: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly durationUs: number;
  readonly isAuthenticated: boolean;
  readonly refused: KeptRefusal | null;
}
