/** The offers' page with what three lenders of the sandbox answer to a request for ₹2,00,000. */
export const OFFERS_VIEW = 'hosted/steps/offers';

const CHARGES = [
  { name: 'Late payment', description: '2% a month of the overdue instalment, and GST' },
  { name: 'Bounced instalment', description: '₹590, GST included' },
  { name: 'Foreclosure', description: '3% of what is outstanding, after the sixth instalment' },
];

function offer(offerId: string, lenderName: string, apr: number, emi: number) {
  return {
    offerId,
    lenderName,
    isLowest: offerId === 'off_1',
    hasRunOut: false,
    emi,
    amount: 20_000_000,
    fees: 590_000,
    net: 19_410_000,
    apr,
    annualRate: apr - 2.4,
    tenureMonths: 36,
    validUntil: new Date('2026-11-25T12:00:00Z'),
    contingentCharges: CHARGES,
    kfsHref: `/kfs/${offerId}.abcdefghijklmnopqrstuvwxyz012345`,
    chooseHref: `/hosted/offers/${offerId}`,
    note: null,
  };
}

export const OFFERS_MODEL = {
  titleKey: 'steps.offers.title',
  titleValues: { count: 3 },
  sheets: ['steps.css'],
  isWide: true,
  shown: '01a1fd94c64d735cbecce725692d49e9',
  question: { step: 5, of: 11 },
  offers: [
    offer('off_1', 'Sahyadri Finance', 18.42, 704_600),
    offer('off_2', 'Kaveri Small Finance Bank', 19.31, 713_900),
    offer('off_3', 'Deccan Capital', 21.04, 730_100),
  ],
  count: 3,
  isComparison: true,
  isGold: false,
  hasExpired: false,
  declined: ['Narmada Housing and Credit'],
  silent: [],
};
