import type { BrandSection } from './brand-section.js';
import type { Brand } from '../../settings/index.js';

/** The brand as the service keeps it: plain, and its fields in one order. */
export function brandOf({
  slug,
  displayName,
  support,
  grievance,
  accentColour,
  smsLanguage,
  logoImage,
}: BrandSection): Brand {
  return {
    slug,
    displayName,
    support: { phone: support.phone, email: support.email },
    grievance: { name: grievance.name, phone: grievance.phone, email: grievance.email },
    accentColour,
    ...(smsLanguage && { smsLanguage }),
    ...(logoImage && { logo: logoImage }),
  };
}
