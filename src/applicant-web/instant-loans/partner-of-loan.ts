import type { PagePartners } from '../../auth/index.js';
import type { InstantLoanPages } from '../../instant-loans/index.js';
import type { PagePartner } from '../../platform/index.js';

/**
 * @param token of the loan's link
 * @returns null when the link is unknown
 */
export async function partnerOfLoan(
  token: string,
  pages: InstantLoanPages,
  partners: PagePartners,
): Promise<PagePartner | null> {
  const partnerId = await pages.partnerOf(token);
  const partner = partnerId === null ? null : await partners.of(partnerId);
  return partner && { ...partner, dataHref: `/pay/${token}/data` };
}
