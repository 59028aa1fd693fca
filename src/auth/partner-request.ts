import type { RawRequest } from '../platform/index.js';
import type { AdmissionResult } from './store/admissions.repository.js';
import type { PartnerKey } from './partner-key.js';
import type { SignatureExplanation } from './explain-signature.js';
import type { SignedRequest } from './request-signature.js';

/** What the server signed, where the given signature differs. */
export type RefusedSignature = Omit<SignedRequest, 'body'> &
  Pick<SignatureExplanation, 'finding' | 'secondsAhead' | 'bodyBytes' | 'bodySha256'>;

/** A request whose sender is known. */
export interface PartnerRequest extends RawRequest {
  partnerKey: PartnerKey;
  admission: AdmissionResult;
}

/** A request of whoever: what its guard has found out so far. */
export interface ClaimedRequest extends RawRequest, Partial<Pick<PartnerRequest, 'partnerKey'>> {
  /** The known key that it names, before anything shows that the sender holds its secret. */
  claimedKey?: PartnerKey;
  /** In the sandbox, when the signature was another. */
  refusedSignature?: RefusedSignature;
}
