/** What a key may be allowed to do. */
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

/** The purpose that the secrets of keys are sealed for. */
export const KEY_SECRET_PURPOSE = 'api_keys.secret';

/** An API key with what a request needs to know of it and of its partner. */
export interface PartnerKey {
  readonly id: string;
  readonly partnerId: string;
  /** The HMAC key of every request signature. */
  readonly secret: string;
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'REVOKED';
  readonly partnerStatus: 'ACTIVE' | 'SUSPENDED';
  readonly scopes: ReadonlySet<Scope>;
  /** Catalogue codes of the products assigned to the key. */
  readonly products: ReadonlySet<string>;
  readonly minuteLimit: number;
  readonly dayLimit: number;
  /** What variant B of initiate takes when it names no channel or product. */
  readonly defaultChannel: 'API_HOSTED' | 'API_HEADLESS';
  readonly defaultProduct: string;
  /** Moves with every change of the key or of its partner. */
  readonly version: number;
}
