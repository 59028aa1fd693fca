import type { PagePartners } from '../../auth/index.js';
import type { InstantLoanPages } from '../../instant-loans/index.js';
import type { PagePartner } from '../../platform/index.js';

/**
 * The partner of an instant loan, as its pages name it; they lead to who has the data of this very application.
 * @param token of the loan's link
 * @returns null when the link is not one of ours
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
