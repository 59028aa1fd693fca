/** What a key may use when nothing else was arranged, by the contract. */
export const DEFAULT_LIMITS = { perMinute: 120, perDay: 20_000 } as const;

/** The purpose that the secrets of keys are sealed for. */
export const KEY_SECRET_PURPOSE = 'api_keys.secret';

export type KeyStatus = 'ACTIVE' | 'SUSPENDED' | 'REVOKED';

/** What is decided about a key, beside its standing. */
export interface KeyFields {
  readonly name: string;
  readonly secret: string;
  readonly scopes: readonly string[];
  readonly products: readonly string[];
  readonly minuteLimit: number;
  readonly dayLimit: number;
  readonly defaultChannel: string;
  readonly defaultProduct: string;
}
