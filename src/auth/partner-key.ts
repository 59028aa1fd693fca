import type { RawRequest } from '../platform/index.js';
import type { SignatureExplanation } from './explain-signature.js';
import type { SignedRequest } from './request-signature.js';
import type { AdmissionResult } from './store/admissions.repository.js';

export const SCOPES = [
  'products:read',
  'journeys:write',
  'journeys:read',
  'instant-loans:write',
  'leads:read',
  'webhooks:manage',
  'events:read',
  'workbench:open',
  'sandbox:travel',
] as const;

export type Scope = (typeof SCOPES)[number];

export const KEY_SECRET_PURPOSE = 'api_keys.secret';

export interface PartnerKey {
  readonly id: string;
  readonly partnerId: string;
  readonly secret: string;
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED';
  readonly partnerStatus: 'ACTIVE' | 'SUSPENDED';
  readonly scopes: ReadonlySet<Scope>;
  /** Product codes. */
  readonly products: ReadonlySet<string>;
  readonly minuteLimit: number;
  readonly dayLimit: number;
  /** Defaults of variant B of initiate. */
  readonly defaultChannel: 'API_HOSTED' | 'API_HEADLESS';
  readonly defaultProduct: string;
  readonly uniqueClientReferences: boolean;
  /** Increases with every change of the key or its partner. */
  readonly version: number;
}

export type RefusedSignature = Omit<SignedRequest, 'body'> &
  Pick<SignatureExplanation, 'finding' | 'secondsAhead' | 'bodyBytes' | 'bodySha256'>;

export interface PartnerRequest extends RawRequest {
  partnerKey: PartnerKey;
  admission: AdmissionResult;
}

export interface ClaimedRequest extends RawRequest, Partial<Pick<PartnerRequest, 'partnerKey'>> {
  /** The known key that the request names, not verified. */
  claimedKey?: PartnerKey;
  /** In the sandbox only. */
  refusedSignature?: RefusedSignature;
}
