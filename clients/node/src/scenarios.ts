/**
 * The sandbox's scenarios, written by `npm run clients:generate`. Do not edit.
 */
export const SCENARIOS = [
  {
    name: 'journey-approved',
    starts: 'JOURNEY',
    pan: 'ABCDE1234F',
    happens: 'a journey in which every step passes',
    lookAt: 'Complete all screens. The journey ends as SANCTIONED, and each move has its event.',
  },
  {
    name: 'journey-every-lender-declines',
    starts: 'JOURNEY',
    pan: 'SANDX0001A',
    happens: 'every lender declines',
    lookAt:
      'Confirm the details. Each lender’s decline is on the timeline, and the journey ends as REJECTED.',
  },
  {
    name: 'journey-slow-lenders',
    starts: 'JOURNEY',
    pan: 'SANDX0002A',
    happens:
      'lenders take 10 seconds and one never answers: offers are available after 120 seconds',
    lookAt:
      'Confirm the details. The lenders’ answers are on the timeline after 10 seconds; the journey waits for the silent lender until its deadline. Moving time by an hour ends the wait.',
  },
  {
    name: 'journey-one-offer',
    starts: 'JOURNEY',
    pan: 'SANDX0003A',
    happens: 'exactly one offer',
    lookAt:
      'Confirm the details. One lender makes an offer; the others’ declines are on the timeline.',
  },
  {
    name: 'journey-kyc-fails-once',
    starts: 'JOURNEY',
    pan: 'SANDX0004A',
    happens: 'KYC fails once, then passes',
    lookAt:
      'Go on to KYC and approve it. The journey stays at KYC with one failed attempt; the second passes.',
  },
  {
    name: 'journey-kyc-refused',
    starts: 'JOURNEY',
    pan: 'SANDX0005A',
    happens: 'KYC is refused permanently',
    lookAt: 'Go on to KYC and approve it. The lender refuses, and another offer can be chosen.',
  },
  {
    name: 'journey-mandate-fails-once',
    starts: 'JOURNEY',
    pan: 'SANDX0006A',
    happens: 'the mandate fails once',
    lookAt: 'Go on to the mandate and approve it. The first attempt fails; the second passes.',
  },
  {
    name: 'journey-esign-refused',
    starts: 'JOURNEY',
    pan: 'SANDX0007A',
    happens: 'eSign is declined permanently',
    lookAt: 'Go on to eSign and approve it. The lender refuses there.',
  },
  {
    name: 'journey-slow-disbursement',
    starts: 'JOURNEY',
    pan: 'SANDX0008A',
    happens: 'the disbursement takes 30 seconds',
    lookAt:
      'Go on to the signature. The journey waits at DISBURSEMENT_PENDING for 30 seconds, then it is SANCTIONED.',
  },
  {
    name: 'journey-lenders-fail-twice',
    starts: 'JOURNEY',
    pan: 'SANDX0009A',
    happens: 'lenders answer 503 twice, then offer',
    lookAt: 'Confirm the details. Offers arrive a little later: the lenders are asked three times.',
  },
  {
    name: 'journey-sms-down',
    starts: 'JOURNEY',
    pan: 'SANDX0011A',
    happens: 'the SMS gateway is down',
    lookAt:
      'Open the link and ask for the code. No text arrives in the inbox, and the page says so.',
  },
  {
    name: 'journey-slow-providers',
    starts: 'JOURNEY',
    pan: 'SANDX0012A',
    happens: 'KYC, mandate and eSign take 10 seconds each',
    lookAt:
      'Go on to KYC and approve it. The service asks the lender until it answers, after 10 seconds.',
  },
  {
    name: 'journey-account-refused',
    starts: 'JOURNEY',
    pan: 'ABCDE1234F',
    happens: 'the bank account is refused permanently',
    lookAt: 'Go on to the bank account and enter a number that ends in 9999.',
  },
  {
    name: 'gold-loan-approved',
    starts: 'GOLD_LOAN',
    pan: 'ABCDE1234F',
    happens: 'a gold loan in which every step passes',
    lookAt: 'Complete all screens; one asks for the branch. The journey ends as SANCTIONED.',
  },
  {
    name: 'gold-loan-every-lender-declines',
    starts: 'GOLD_LOAN',
    pan: 'SANDX0001A',
    happens: 'every lender declines',
    lookAt:
      'Confirm the details. Each lender’s decline is on the timeline, and the journey ends as REJECTED.',
  },
  {
    name: 'gold-loan-kyc-refused',
    starts: 'GOLD_LOAN',
    pan: 'SANDX0005A',
    happens: 'KYC is refused permanently',
    lookAt: 'Go on to KYC and approve it. The lender refuses, and another offer can be chosen.',
  },
  {
    name: 'gold-loan-account-refused',
    starts: 'GOLD_LOAN',
    pan: 'ABCDE1234F',
    happens: 'the bank account is refused permanently',
    lookAt: 'Go on to the bank account and enter a number that ends in 9999.',
  },
  {
    name: 'instant-loan-approved',
    starts: 'INSTANT_LOAN',
    pan: 'ABCDE1234F',
    happens: 'an instant loan that is paid for and accepted',
    lookAt: 'Choose an offer and pay. The loan is SANCTIONED.',
  },
  {
    name: 'instant-loan-payment-fails',
    starts: 'INSTANT_LOAN',
    pan: 'SANDX0010A',
    happens: 'the payment of an instant loan fails',
    lookAt: 'Choose an offer and pay. Every payment ends as PAYMENT_FAILED, and can be retried.',
  },
  {
    name: 'instant-loan-decision-declined',
    starts: 'INSTANT_LOAN',
    pan: 'SANDX0013A',
    happens: 'an instant loan is declined after its payment',
    lookAt: 'Choose an offer and pay. The loan is REJECTED, and the fee goes back.',
  },
  {
    name: 'instant-loan-every-lender-declines',
    starts: 'INSTANT_LOAN',
    pan: 'SANDX0001A',
    happens: 'every lender declines',
    lookAt: 'Open the link. The loan is REJECTED.',
  },
] as const;

export const SCENARIO_BODIES = {
  JOURNEY: {
    channel: 'API_HOSTED',
    loanAmount: 200000,
    customer: {
      fullName: 'Asha Verma',
      dob: '1990-04-15',
      gender: 'FEMALE',
      employmentType: 'salaried',
      monthlyIncome: 60000,
      companyName: 'Verma Textiles',
      pinCode: '560001',
      city: 'Bengaluru',
      state: 'Karnataka',
      addressL1: '12 Residency Road',
    },
    productCode: 'ONLINE_PERSONAL',
  },
  GOLD_LOAN: {
    channel: 'API_HOSTED',
    loanAmount: 200000,
    customer: {
      fullName: 'Asha Verma',
      dob: '1990-04-15',
      gender: 'FEMALE',
      employmentType: 'salaried',
      monthlyIncome: 60000,
      companyName: 'Verma Textiles',
      pinCode: '560001',
      city: 'Bengaluru',
      state: 'Karnataka',
      addressL1: '12 Residency Road',
    },
    productCode: 'ONLINE_GOLD',
    goldLoanDetails: { jewellaryList: ['necklace', 'two bangles'], grams: '42.5' },
  },
  INSTANT_LOAN: { customer: { firstName: 'Asha' } },
} as const;
