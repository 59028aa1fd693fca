import type { RawRequest } from '../platform/index.js';
import type { AdmissionResult } from './store/admissions.repository.js';
import type { PartnerKey } from './partner-key.js';
import type { SignatureExplanation } from './explain-signature.js';
import type { SignedRequest } from './request-signature.js';

export type RefusedSignature = Omit<SignedRequest, 'body'> &
  Pick<SignatureExplanation, 'finding' | 'secondsAhead' | 'bodyBytes' | 'bodySha256'>;

export interface PartnerRequest extends RawRequest {
  partnerKey: PartnerKey;
  admission: AdmissionResult;
}

/** A request whose sender is not verified yet. */
export interface ClaimedRequest extends RawRequest, Partial<Pick<PartnerRequest, 'partnerKey'>> {
  /** The known key that it names. */
  claimedKey?: PartnerKey;
  /** In the sandbox only. */
  refusedSignature?: RefusedSignature;
}
