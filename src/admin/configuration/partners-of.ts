import type { GivenLogo, GivenPartner } from '../../auth/index.js';
import type { PartnerSection } from './partner-section.js';

export function partnersOf(sections: readonly PartnerSection[]): GivenPartner[] {
  return sections.map(({ id, name, status, returnUrl, alertEmails }) => ({
    id,
    name,
    status: status ?? 'ACTIVE',
    returnUrl: returnUrl ?? null,
    alertEmails: alertEmails ?? [],
  }));
}

/** The pictures of those that have one. */
export function partnerLogosOf(sections: readonly PartnerSection[]): GivenLogo[] {
  return sections.flatMap(({ id, logoImage }) =>
    logoImage ? [{ ...logoImage, partnerId: id }] : [],
  );
}
