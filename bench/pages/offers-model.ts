/** The offers' page with the offers of three sandbox lenders for ₹2,00,000. */
export const OFFERS_VIEW = 'offers/offers';

function offer(offerId: string, lenderName: string, apr: string, emi: string) {
  return {
    offerId,
    lenderName,
    identity: 'NBFC, RBI no. N-00.00001',
    standing: null,
    figures: [
      { label: 'EMI × 36 months', value: emi },
      { label: 'APR', value: apr, ...(offerId === 'off_1' && { tag: 'lowest' }) },
    ],
    rows: [
      { label: 'You get', value: '₹1,94,100', note: 'after ₹5,900 charges' },
      { label: 'You repay', value: '₹2,53,656', note: 'costs you ₹59,556' },
      { label: 'If an EMI is late', value: '2% a month + GST' },
    ],
    ownRows: [],
    kfsHref: `/kfs/${offerId}.abcdefghijklmnopqrstuvwxyz012345`,
    chooseHref: `/hosted/offers/${offerId}/confirm?amount=200000`,
  };
}

export const OFFERS_MODEL = {
  titleKey: 'offers.title',
  titleValues: { count: 3 },
  isWide: true,
  shown: '01a1fd94c64d735cbecce725692d49e9',
  question: { step: 5, of: 10 },
  stopHref: '/hosted/stop',
  offers: [
    offer('off_1', 'Sahyadri Finance', '18.42%', '₹7,046'),
    offer('off_2', 'Kaveri Small Finance Bank', '19.31%', '₹7,139'),
    offer('off_3', 'Deccan Capital', '21.04%', '₹7,301'),
  ],
  orders: [
    { text: 'Lowest APR', href: '/hosted/offers', isCurrent: true },
    { text: 'Lowest EMI', href: '/hosted/offers?by=instalment' },
    { text: 'Lowest total', href: '/hosted/offers?by=total' },
  ],
  count: 3,
  asked: '₹2,00,000',
  isComparison: true,
  isGold: false,
  without: [{ name: 'Narmada Housing and Credit', reason: 'Asked; made no offer' }],
};
