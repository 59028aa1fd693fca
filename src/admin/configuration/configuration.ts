import type { z } from 'zod';
import { wholeNumber } from '../../platform/index.js';
import { brand } from './brand-section.js';
import { type Deployment, differing, section } from './fields.js';
import { lender } from './lender-section.js';
import { partner } from './partner-section.js';
import { payment } from './payment-section.js';
import { product } from './product-section.js';
import { settings } from './settings-section.js';
import { sms } from './sms-section.js';

const LARGEST_VERSION = 2_147_483_647;

/** @param file logo paths are relative to it */
export function configuration(deployment: Deployment, file: string) {
  const isProduction = deployment.mode === 'production';
  const texts = sms(deployment);
  const fees = payment(deployment);
  return section({
    /** An older version never replaces a newer one. */
    version: wholeNumber(1, LARGEST_VERSION),
    brand: brand(file),
    settings: settings(deployment.mode).prefault({}),
    sms: isProduction ? texts : texts.prefault({ gateway: 'inbox' }),
    payment: isProduction ? fees : fees.prefault({ gateway: 'sandbox' }),
    products: differing(product, 'is repeated: another product has this code', 'code').min(
      1,
      'must be a list of at least 1',
    ),
    lenders: differing(
      lender(deployment, file),
      'is repeated: another lender has this code',
      'code',
    ),
    partners: differing(
      partner(deployment, file),
      'is repeated: another partner has this id',
      'id',
    ),
  });
}

export type Configuration = z.output<ReturnType<typeof configuration>>;

/** For example `lenders[0].name`. */
export function fieldOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}
