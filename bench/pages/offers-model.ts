/** The offers' page with what three lenders of the sandbox answer to a request for ₹2,00,000. */
export const OFFERS_VIEW = 'hosted/steps/offers';

const NET = 19_410_000;
const TENURE_MONTHS = 36;

const CHARGES = [
  charge('Late payment', '2% a month of the overdue instalment, and GST'),
  charge('Bounced instalment', '₹590, GST included'),
  charge('Foreclosure', '3% of what is outstanding, after the sixth instalment'),
];

function charge(name: string, description: string) {
  return { name, description, standing: 'STATED' };
}

function offer(offerId: string, lenderName: string, apr: number, emi: number) {
  return {
    offerId,
    lenderName,
    identity: 'Finance company (NBFC), registered with the RBI: N-00.00001',
    recoveryAgent: 'the lender, or an agent that it names to you first',
    isLowest: offerId === 'off_1',
    isCheapest: offerId === 'off_1',
    hasRunOut: false,
    emi,
    total: emi * TENURE_MONTHS,
    cost: emi * TENURE_MONTHS - NET,
    firstDueOn: '2026-12-18',
    amount: 20_000_000,
    fees: 590_000,
    net: NET,
    apr,
    annualRate: apr - 2.4,
    tenureMonths: TENURE_MONTHS,
    validUntil: new Date('2026-11-25T12:00:00Z'),
    charges: CHARGES,
    kfsHref: `/kfs/${offerId}.abcdefghijklmnopqrstuvwxyz012345`,
    chooseHref: `/hosted/offers/${offerId}`,
    note: null,
  };
}

const OFFERS = [
  offer('off_1', 'Sahyadri Finance', 18.42, 704_600),
  offer('off_2', 'Kaveri Small Finance Bank', 19.31, 713_900),
  offer('off_3', 'Deccan Capital', 21.04, 730_100),
];

export const OFFERS_MODEL = {
  titleKey: 'steps.offers.title',
  titleValues: { count: 3 },
  sheets: ['steps.css'],
  isWide: true,
  shown: '01a1fd94c64d735cbecce725692d49e9',
  question: { step: 5, of: 11 },
  offers: OFFERS,
  orders: [
    { textKey: 'steps.offers.order.apr', href: '/hosted/offers', isCurrent: true },
    { textKey: 'steps.offers.order.instalment', href: '/hosted/offers?by=instalment' },
    { textKey: 'steps.offers.order.total', href: '/hosted/offers?by=total' },
  ],
  chargeRows: CHARGES.map(({ name }, kind) => ({
    name,
    standings: OFFERS.map(({ charges }) => charges[kind]),
  })),
  count: 3,
  isComparison: true,
  isGold: false,
  hasExpired: false,
  declined: ['Narmada Housing and Credit'],
  silent: [],
};
