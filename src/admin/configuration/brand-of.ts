import type { BrandSection } from './brand-section.js';
import type { BrandLogo } from '../../platform/index.js';
import type { Brand } from '../../settings/index.js';
import type { LogoImage } from './read-logo.js';

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
    ...(logoImage && { logo: brandLogoOf(logoImage) }),
  };
}

function brandLogoOf({ width, height, bytes }: LogoImage): BrandLogo {
  const aspectRatio = Math.round((width / height) * 1000) / 1000;
  return { base64: bytes.toString('base64'), aspectRatio };
}
