import type { RawRequest } from '../platform/index.js';
import type { AdmissionResult } from './store/admissions.repository.js';
import type { PartnerKey } from './partner-key.js';

/** A request whose sender is known. */
export interface PartnerRequest extends RawRequest {
  partnerKey: PartnerKey;
  admission: AdmissionResult;
}
